/** Kinds from which controllers create other objects: Flux, Argo, OLM, Tekton, Crossplane, ACK, Cluster API. */

import { RUNS, type KindRule } from "./rule";

const SOURCE = "is content that others deploy from it";
const DEPLOYS = (who: string): string => `creates whatever objects its source contains, with the rights of ${who}`;
const CLOUD = "creates and changes resources in a cloud, with the rights of its controller there";

export const DELIVERY: readonly KindRule[] = [
  {
    group: "helm.toolkit.fluxcd.io",
    acts: DEPLOYS("Flux or of the account that it names"),
    shows: ["spec.chart.spec.chart", "spec.chartRef.name", "spec.serviceAccountName"],
  },
  {
    group: "kustomize.toolkit.fluxcd.io",
    acts: DEPLOYS("Flux or of the account that it names"),
    shows: ["spec.path", "spec.serviceAccountName"],
  },
  { group: "source.toolkit.fluxcd.io", acts: SOURCE, shows: ["spec.url"] },
  { group: "image.toolkit.fluxcd.io", acts: "writes to repositories with the credentials of Flux" },
  { group: "notification.toolkit.fluxcd.io", acts: "sends events, or lets others start a deployment" },
  {
    group: "argoproj.io",
    kinds: ["Application", "ApplicationSet"],
    acts: DEPLOYS("Argo CD"),
    shows: ["spec.source.repoURL"],
  },
  { group: "argoproj.io", kinds: ["AppProject"], acts: "decides what Argo CD may deploy, and where" },
  {
    group: "argoproj.io",
    kinds: ["Workflow", "WorkflowTemplate", "ClusterWorkflowTemplate", "CronWorkflow"],
    acts: "runs pods and creates objects with the account that it names",
  },
  {
    group: "argoproj.io",
    kinds: ["EventSource", "Sensor", "EventBus", "WorkflowEventBinding"],
    acts: "starts workflows and creates objects on events of others",
  },
  {
    group: "argoproj.io",
    kinds: ["Rollout", "AnalysisTemplate", "ClusterAnalysisTemplate", "AnalysisRun", "Experiment"],
    acts: "runs pods and changes the traffic of Services",
  },
  { group: "operators.coreos.com", acts: "installs operators with the rights that their catalog gives them" },
  { group: "olm.operatorframework.io", acts: "installs operators with the rights that their catalog gives them" },
  { group: "tekton.dev", acts: RUNS },
  { group: "triggers.tekton.dev", acts: "creates objects on requests from outside" },
  { group: "kubernetes.crossplane.io", acts: "creates any object, with the rights of Crossplane" },
  { group: "helm.crossplane.io", acts: "creates whatever objects its chart contains, with the rights of Crossplane" },
  { group: "*.crossplane.io", acts: CLOUD },
  { group: "*.upbound.io", acts: CLOUD },
  { group: "*.services.k8s.aws", acts: CLOUD },
  { group: "services.k8s.aws", acts: CLOUD },
  { group: "*.cnrm.cloud.google.com", acts: CLOUD },
  { group: "karpenter.sh", acts: "creates and removes nodes" },
  { group: "karpenter.k8s.aws", acts: "decides what nodes are, and what they may do in AWS" },
  { group: "*.cluster.x-k8s.io", acts: "creates clusters and machines" },
  { group: "cluster.x-k8s.io", acts: "creates clusters and machines" },
];
