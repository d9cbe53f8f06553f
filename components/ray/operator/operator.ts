import { Release } from "@pulumi/kubernetes/helm/v3/release";
import type * as pulumi from "@pulumi/pulumi";
import { chartSource, type Charts } from "../../charts/charts";
import type { Cluster } from "../../cluster/cluster";
import { BundleRelease } from "../../resources/bundleRelease";
import { OPERATOR, operatorValues } from "./plan";
import type { OperatorSettings } from "./settings";

/** Namespace of the bundle release with the CRDs: one that always exists. */
const CRDS_NAMESPACE = "kube-system";

interface OperatorArgs {
  readonly cluster: Cluster;
  readonly charts: Charts;
  readonly settings: OperatorSettings;
}

/**
 * Installs the KubeRay operator: its CRDs as a bundle, so that they are upgraded with it, and its chart without CRDs.
 */
export function createOperator(
  name: string,
  { cluster, charts, settings }: OperatorArgs,
  parent: pulumi.Resource,
): Release {
  const crds = charts.crds?.[OPERATOR];
  const kinds =
    crds &&
    new BundleRelease(
      `${name}-crds`,
      {
        ...cluster.access,
        name: "kuberay-crds",
        namespace: CRDS_NAMESPACE,
        sources: [{ type: "local", path: crds.path }],
        // CRDs from an earlier Helm release belong to no bundle.
        force: true,
        adopt: crds.names.map((each) => `apiextensions.k8s.io/v1/CustomResourceDefinition/${each}`),
        allowCrdChanges: [...settings.allowCrdChanges],
        timeoutSeconds: settings.timeoutSeconds,
        // Other users may have objects of these kinds. Helm keeps CRDs too.
        retained: true,
      },
      { parent },
    );
  return new Release(
    name,
    {
      name: OPERATOR,
      namespace: OPERATOR,
      createNamespace: true,
      ...chartSource("kuberay-operator", charts),
      values: operatorValues(settings),
      skipCrds: kinds !== undefined,
      atomic: true,
      cleanupOnFail: true,
      maxHistory: 5,
      timeout: settings.timeoutSeconds,
    },
    { parent, provider: cluster.provider, dependsOn: kinds ? [kinds] : [] },
  );
}
