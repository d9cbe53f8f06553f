import type * as pulumi from "@pulumi/pulumi";
import type { Charts } from "../../charts/charts";
import type { Cluster } from "../../cluster/cluster";
import { createRelease, type OwnedRelease } from "../../cluster/ownedRelease";
import { BundleRelease } from "../../resources/bundleRelease";
import { OPERATOR, operatorValues } from "./plan";
import type { OperatorSettings } from "./config/schema";

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
): OwnedRelease {
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
  return createRelease(
    name,
    {
      ...{ cluster, charts, chart: "kuberay-operator", account: { release: OPERATOR, namespace: OPERATOR } },
      values: operatorValues(settings),
      timeoutSeconds: settings.timeoutSeconds,
      createNamespace: true,
      skipCrds: kinds !== undefined,
    },
    { parent, dependsOn: kinds ? [kinds] : [] },
  );
}
