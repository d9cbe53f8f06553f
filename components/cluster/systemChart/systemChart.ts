import type * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../cluster";
import { createRelease, type OwnedRelease, type ReleasePlan } from "../ownedRelease";
import type { Identity } from "../onEks/onEks";
import { roleName } from "../serviceAccountRole/plan";
import { ServiceAccountRole } from "../serviceAccountRole/serviceAccountRole";
import type { Statement } from "../serviceAccountRole/document";
import { BundleRelease } from "../../resources/bundleRelease";

/** Namespace of the bundle release with the CRDs: one that always exists. */
const CRDS_NAMESPACE = "kube-system";

export interface SystemRole {
  readonly cluster: Cluster;
  /** Prefix of the role's name. */
  readonly rolePrefix: string;
  readonly identity: Identity;
  readonly account: { readonly release: string; readonly namespace: string };
  readonly statements: pulumi.Input<readonly Statement[]>;
}

/**
 * Creates the role of a chart's service account, which has the name of the release. Undefined if the cluster is not
 * known to be on EKS.
 */
export function createSystemRole(
  name: string,
  { cluster, rolePrefix, identity, account, statements }: SystemRole,
  parent: pulumi.Resource,
): ServiceAccountRole | undefined {
  if (cluster.identity === undefined) return undefined;
  const { release, namespace } = account;
  return new ServiceAccountRole(
    `${name}-role`,
    {
      cluster: cluster.identity,
      roleName: roleName(rolePrefix, release),
      identity,
      subjects: { [namespace]: [release] },
      // The chart creates it.
      serviceAccounts: "none",
      statements,
    },
    { parent },
  );
}

export interface SystemRelease extends ReleasePlan {
  readonly allowCrdChanges?: readonly string[];
  /** Dependencies. Pods get their role when they start. */
  readonly dependsOn: readonly (pulumi.Resource | undefined)[];
}

/** Creates the release of a verified chart. Its CRDs are a bundle, so that they are upgraded with it. */
export function createSystemRelease(
  name: string,
  { allowCrdChanges = [], dependsOn, ...plan }: SystemRelease,
  parent: pulumi.Resource,
): OwnedRelease {
  const { cluster, charts, chart, account, timeoutSeconds } = plan;
  const found = charts.crds?.[chart];
  const kinds =
    found &&
    new BundleRelease(
      `${name}-crds`,
      {
        ...cluster.access,
        name: `${chart}-crds`,
        namespace: CRDS_NAMESPACE,
        sources: [{ type: "local", path: found.path }],
        // CRDs from a manual Helm release belong to no bundle.
        force: true,
        adopt: found.names.map((each) => `apiextensions.k8s.io/v1/CustomResourceDefinition/${each}`),
        allowCrdChanges: [...allowCrdChanges],
        timeoutSeconds,
        // Other users may have objects of these kinds.
        retained: true,
      },
      { parent },
    );
  return createRelease(
    `${name}-release`,
    { ...plan, createNamespace: account.namespace !== "kube-system", skipCrds: true },
    { parent, dependsOn: [...dependsOn, kinds].filter((one) => one !== undefined) },
  );
}
