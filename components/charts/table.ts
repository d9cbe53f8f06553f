/** An upstream chart that the platform installs. */
export interface ChartEntry {
  /** Name in its repository. */
  readonly name: string;
  /** Its Helm repository, or its registry (`oci://`). */
  readonly repo: string;
  /** The tested version, which is the default. */
  readonly version: string;
  /** All images that the tested version runs by default, for mirrors. */
  readonly images: Readonly<Record<string, string>>;
  /** Paths of these images in its values, by which they come from a mirror. Default: features set them. */
  readonly paths?: Readonly<Record<string, readonly (readonly string[])[]>>;
  /** Whether its images have keys `digest` at these paths, with digests by default. */
  readonly hasDigests?: true;
  /** Key of an image's name without its tag at these paths. Default: repository. */
  readonly nameKey?: string;
  /** Name of our chart below `charts/` that is installed instead and has this one as a subchart. Default: none. */
  readonly wrapper?: string;
  /** Whether it has CustomResourceDefinitions in `crds/`, which Helm installs once and never upgrades. */
  readonly hasCrds?: true;
}

/**
 * All upstream charts, with the tested version and its images. A stack may use other versions (`charts.versions`). The
 * lock file has the digests of all versions.
 */
export const CHARTS = {
  jupyterhub: {
    name: "jupyterhub",
    repo: "https://hub.jupyter.org/helm-chart/",
    version: "4.4.0",
    images: {
      hub: "quay.io/jupyterhub/k8s-hub:4.4.0",
      proxy: "quay.io/jupyterhub/configurable-http-proxy:5.2.0",
      traefik: "traefik:v3.6.12",
      userScheduler: "registry.k8s.io/kube-scheduler:v1.30.14",
      pause: "registry.k8s.io/pause:3.10.1",
      notebook: "quay.io/jupyterhub/k8s-singleuser-sample:4.4.0",
      networkTools: "quay.io/jupyterhub/k8s-network-tools:4.4.0",
      secretSync: "quay.io/jupyterhub/k8s-secret-sync:4.4.0",
      imageAwaiter: "quay.io/jupyterhub/k8s-image-awaiter:4.4.0",
    },
    paths: {
      hub: [["hub", "image"]],
      proxy: [["proxy", "chp", "image"]],
      traefik: [["proxy", "traefik", "image"]],
      secretSync: [["proxy", "secretSync", "image"]],
      networkTools: [["singleuser", "networkTools", "image"]],
      userScheduler: [["scheduling", "userScheduler", "image"]],
      pause: [
        ["scheduling", "userPlaceholder", "image"],
        ["prePuller", "pause", "image"],
      ],
      imageAwaiter: [["prePuller", "hook", "image"]],
    },
    nameKey: "name",
    wrapper: "jupyterhub",
  },
  "cluster-autoscaler": {
    name: "cluster-autoscaler",
    repo: "https://kubernetes.github.io/autoscaler",
    version: "9.59.0",
    // The chart's default. The actual tag follows the version of the cluster.
    images: { autoscaler: "registry.k8s.io/autoscaling/cluster-autoscaler:v1.35.0" },
  },
  "kuberay-operator": {
    name: "kuberay-operator",
    repo: "https://ray-project.github.io/kuberay-helm/",
    version: "1.7.0",
    images: { operator: "quay.io/kuberay/operator:v1.7.0" },
    hasCrds: true,
  },
  "aws-load-balancer-controller": {
    name: "aws-load-balancer-controller",
    repo: "https://aws.github.io/eks-charts",
    version: "3.5.0",
    images: { controller: "public.ecr.aws/eks/aws-load-balancer-controller:v3.5.0" },
    paths: { controller: [["image"]] },
    hasCrds: true,
  },
  "ingress-nginx": {
    name: "ingress-nginx",
    repo: "https://kubernetes.github.io/ingress-nginx",
    version: "4.15.1",
    images: {
      controller: "registry.k8s.io/ingress-nginx/controller:v1.15.1",
      certificates: "registry.k8s.io/ingress-nginx/kube-webhook-certgen:v1.6.9",
    },
    paths: {
      controller: [["controller", "image"]],
      certificates: [["controller", "admissionWebhooks", "patch", "image"]],
    },
    hasDigests: true,
  },
  "external-dns": {
    name: "external-dns",
    repo: "https://kubernetes-sigs.github.io/external-dns/",
    version: "1.21.1",
    images: { dns: "registry.k8s.io/external-dns/external-dns:v0.21.0" },
    paths: { dns: [["image"]] },
  },
  "cert-manager": {
    name: "cert-manager",
    repo: "https://charts.jetstack.io",
    version: "v1.21.1",
    images: {
      controller: "quay.io/jetstack/cert-manager-controller:v1.21.1",
      webhook: "quay.io/jetstack/cert-manager-webhook:v1.21.1",
      cainjector: "quay.io/jetstack/cert-manager-cainjector:v1.21.1",
      acmesolver: "quay.io/jetstack/cert-manager-acmesolver:v1.21.1",
      startupCheck: "quay.io/jetstack/cert-manager-startupapicheck:v1.21.1",
    },
    paths: {
      controller: [["image"]],
      webhook: [["webhook", "image"]],
      cainjector: [["cainjector", "image"]],
      acmesolver: [["acmesolver", "image"]],
      startupCheck: [["startupapicheck", "image"]],
    },
  },
  karpenter: {
    name: "karpenter",
    repo: "oci://public.ecr.aws/karpenter",
    version: "1.14.1",
    images: {
      controller: "public.ecr.aws/karpenter/controller:1.14.1",
    },
    paths: { controller: [["controller", "image"]] },
    hasCrds: true,
    hasDigests: true,
  },
  "metrics-server": {
    name: "metrics-server",
    repo: "https://kubernetes-sigs.github.io/metrics-server/",
    version: "3.13.1",
    images: { server: "registry.k8s.io/metrics-server/metrics-server:v0.8.1" },
    paths: { server: [["image"]] },
  },
  "nvidia-device-plugin": {
    name: "nvidia-device-plugin",
    repo: "https://nvidia.github.io/k8s-device-plugin",
    version: "0.20.0",
    images: { plugin: "nvcr.io/nvidia/k8s-device-plugin:v0.20.0" },
    paths: { plugin: [["image"]] },
  },
  "neuron-helm-chart": {
    name: "neuron-helm-chart",
    repo: "oci://public.ecr.aws/neuron",
    version: "1.9.0",
    images: { plugin: "public.ecr.aws/neuron/neuron-device-plugin:2.31.0.0" },
    paths: { plugin: [["devicePlugin", "image"]] },
  },
  "aws-efa-k8s-device-plugin": {
    name: "aws-efa-k8s-device-plugin",
    repo: "https://aws.github.io/eks-charts",
    version: "v0.5.30",
    images: { plugin: "602401143452.dkr.ecr.us-west-2.amazonaws.com/eks/aws-efa-k8s-device-plugin:v0.5.20" },
    paths: { plugin: [["image"]] },
  },
} as const satisfies Record<string, ChartEntry>;

export type ChartName = keyof typeof CHARTS;

export const CHART_NAMES = Object.keys(CHARTS) as ChartName[];

/** Versions that a stack requests. Charts without an entry use the tested version. */
export type ChartVersions = Readonly<Partial<Record<ChartName, string>>>;

/** The version of a chart to install. */
export const versionOf = (name: ChartName, versions: ChartVersions = {}): string =>
  versions[name] ?? CHARTS[name].version;

/** Whether a stack uses the tested version of a chart, whose images are known. */
export const isTested = (name: ChartName, versions: ChartVersions = {}): boolean =>
  versionOf(name, versions) === CHARTS[name].version;
