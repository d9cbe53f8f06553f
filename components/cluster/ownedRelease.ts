import { Release } from "@pulumi/kubernetes/helm/v3/release";
import * as pulumi from "@pulumi/pulumi";
import { digestOf } from "../../foundation/digest";
import { chartSource, type Charts } from "../charts/charts";
import { ownerSet } from "../charts/plannedRelease";
import type { ChartName } from "../charts/table";
import type { DataPart } from "../resources/dataGuard";
import { dataPart, partOwner } from "../resources/guard/dataPart";
import { ManifestSet } from "../resources/manifestSet";
import type { Cluster } from "./cluster";

/** A Helm release of a verified chart. */
export interface ReleasePlan {
  readonly cluster: Cluster;
  readonly charts: Charts;
  readonly chart: ChartName;
  /** The names of the release. */
  readonly account: { readonly release: string; readonly namespace: string };
  readonly values: pulumi.Input<Record<string, unknown>>;
  readonly timeoutSeconds: number;
}

/** The set that records the owner of a release. */
interface OwnerSet {
  readonly set: ManifestSet;
  readonly namespace: string;
  readonly name: string;
}

interface OwnedReleaseArgs extends ReleasePlan {
  readonly createNamespace?: boolean;
  readonly skipCrds?: boolean;
  /** A set with `releaseOf` this release. Default: one without objects. */
  readonly owner?: OwnerSet;
}

interface ReleaseOptions extends Omit<pulumi.CustomResourceOptions, "dependsOn"> {
  readonly dependsOn?: readonly pulumi.Resource[];
}

export interface OwnedRelease {
  readonly release: Release;
  /** Lets the guard of data refuse that a stack which is not the owner uninstalls it. */
  readonly dataPart: DataPart;
}

/** A release in its set. The digest makes every change of the release a change of the set, and is secret if a value is. */
export const releaseOf = ({ charts, chart, account, values }: ReleasePlan) => ({
  namespace: account.namespace,
  name: account.release,
  digest: pulumi
    .output(values)
    .apply((known) => digestOf(Buffer.from(JSON.stringify([chartSource(chart, charts), known])))),
});

/**
 * Installs a Helm release once the record of its owner is taken: Helm changes and uninstalls it for every stack that has
 * it in its state. A release that another stack has offered to this one is imported.
 */
export function createRelease(
  name: string,
  args: OwnedReleaseArgs,
  { dependsOn = [], ...opts }: ReleaseOptions,
): OwnedRelease {
  const { cluster, charts, chart, account, values, timeoutSeconds, createNamespace, skipCrds } = args;
  const { release: installed, namespace } = account;
  const { set, ...record } = args.owner ?? createRecord(`${name}-owner`, args, { parent: opts.parent });
  const place = `${namespace}/${installed}`;
  const release = new Release(
    name,
    {
      name: installed,
      namespace,
      createNamespace,
      ...chartSource(chart, charts),
      values,
      skipCrds,
      atomic: true,
      cleanupOnFail: true,
      maxHistory: 5,
      timeout: timeoutSeconds,
    },
    {
      ...opts,
      provider: cluster.provider,
      dependsOn: [...dependsOn, set],
      ...(cluster.offered.includes(place) && { import: place }),
    },
  );
  const owner = {
    ...partOwner(set),
    ...{ namespace: record.namespace, set: record.name, urn: release.urn },
  };
  return { release, dataPart: dataPart(cluster.access, { type: "release", namespace, name: installed, owner }) };
}

function createRecord(name: string, plan: ReleasePlan, opts: pulumi.CustomResourceOptions): OwnerSet {
  const place = ownerSet(plan.account.release);
  const args = { ...plan.cluster.access, ...place, objects: [], release: releaseOf(plan) };
  return { ...place, set: new ManifestSet(name, args, opts) };
}
