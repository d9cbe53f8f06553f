import { shootOfPlan } from "../../components/runtime/types/gardener/create";
import { planGardener } from "../../components/runtime/types/gardener/plan";
import type { Platform } from "../../components/runtime/platform/platform";
import type { GardenerProvisioner } from "../../components/runtime/types/gardener/spec";
import type { Deployment } from "../../components/runtime/request/deployment";
import { Failure, UsageError } from "../../foundation/errors";
import { nearest } from "../../foundation/text/nearest";
import { connect } from "../../kubernetes/connect/connect";
import type { KubeObject } from "../../kubernetes/objects/objects";
import { withAuthentication } from "../../kubernetes/gardener/existing";
import { differencesOf, type Differing } from "../../kubernetes/gardener/imported";
import { GARDENER, shootRef, wantsHibernation } from "../../kubernetes/gardener/shoot";
import { asDescribed } from "../../kubernetes/gardener/versionFields";
import { originOn } from "../../kubernetes/identity/origin";
import { ownerIdOn } from "../../kubernetes/identity/ownerId";
import { clusterRequestOf } from "../adoption/gardener/seen";
import type { DeploymentChange } from "../stack/change";

const PATIENCE_MS = 20_000;

/** The result of looking at a Shoot before its import. */
export interface FoundShoot {
  readonly provisioner: string;
  readonly uid: string;
  readonly change: DeploymentChange;
  /** Fields whose value the provisioner would set differently. */
  readonly differences: readonly Differing[];
  /** What the next update adds. */
  readonly notes: readonly string[];
}

/** A provisioner of type gardener. */
export interface NamedGarden {
  readonly name: string;
  readonly spec: GardenerProvisioner;
}

type Provisioners = Pick<Platform, "provisioners">;

const namesOf = (gardens: readonly NamedGarden[]): string => gardens.map(({ name }) => name).join(", ") || "none";

/** Returns the platform's provisioners of type gardener, or only the named one. */
export function gardenerProvisioners(
  { provisioners }: Provisioners,
  named: string | undefined,
): readonly NamedGarden[] {
  const all = Object.entries(provisioners).flatMap(([name, spec]) =>
    spec.type === "gardener" ? [{ name, spec }] : [],
  );
  const found = all.filter(({ name }) => (named ?? name) === name);
  if (named === undefined || found.length > 0) return found;
  throw new UsageError(`--provisioner: found ${named}; expected one of type gardener: ${namesOf(all)}`);
}

/** Returns the named provisioner of type gardener, or else the platform's only one. */
export function gardenOf(platform: Provisioners, named: string | undefined): NamedGarden {
  const gardens = gardenerProvisioners(platform, named);
  const [first, ...others] = gardens;
  if (first !== undefined && others.length === 0) return first;
  throw new UsageError(`--provisioner: found nothing; expected one of type gardener: ${namesOf(gardens)}`);
}

/** Reads a Shoot in the provisioner's project. Throws if it can't be imported. Changes nothing. */
export async function findShoot(
  id: string,
  name: string,
  { name: provisioner, spec }: NamedGarden,
): Promise<FoundShoot> {
  const client = connect(spec.kubeconfig, spec.context, { patienceMs: PATIENCE_MS });
  const live = await client.get(shootRef(spec.namespace, name));
  if (live === undefined) {
    const all = await client.list({ apiVersion: GARDENER, kind: "Shoot", namespace: spec.namespace });
    const meant = nearest(
      name,
      all.map(({ metadata }) => metadata.name),
    );
    throw new Failure(
      `--shoot: found no Shoot ${spec.namespace}/${name} of ${spec.cluster}${meant === undefined ? "" : `; did you mean ${meant}?`}`,
    );
  }
  mustBeFree(live, id);
  const { uid = "" } = live.metadata;
  const described = asDescribed(await withAuthentication(client, live));
  const cluster = { ...clusterRequestOf(described), name };
  const state = wantsHibernation(live) ? ("hibernated" as const) : ("running" as const);
  const deployment: Deployment = {
    ...{ id, slots: 1, version: "", environment: "prod", annotations: {}, provisioner, cluster, state },
  };
  const wanted = shootOfPlan(planGardener({ provisioner, deployment, cpu: 0, memoryGb: 0, storageBytes: 0 }, spec));
  return {
    provisioner,
    uid,
    change: { provisioner, cluster, ...(state === "hibernated" && { state }) },
    differences: differencesOf({ spec: described["spec"] }, { spec: wanted["spec"] }),
    notes: spec.director
      ? ["the next update registers it in the provisioner's Director, and configures the agent in the cluster"]
      : [],
  };
}

/** Throws if another owner has the Shoot. */
function mustBeFree(live: KubeObject, id: string): void {
  const { namespace = "", name, deletionTimestamp } = live.metadata;
  const title = `Shoot ${namespace}/${name}`;
  if (deletionTimestamp !== undefined) throw new Failure(`${title} is being deleted since ${deletionTimestamp}`);
  if (ownerIdOn(live) === undefined) return;
  const { deployment, platform } = originOn(live);
  const whose = deployment === undefined ? "of another stack" : `of deployment ${deployment} on platform ${platform}`;
  throw new Failure(
    `${title} is ${whose}; expected one that no stack has. One that lost its stack is adopted with: stackyard runtime adopt ${deployment ?? id}`,
  );
}
