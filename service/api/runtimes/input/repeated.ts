import { isDeepStrictEqual } from "node:util";
import { hideSecretValues } from "../../../../engine/stack/secretValues";
import { platformReference } from "../../../../engine/stack/names";
import type { RuntimeChange } from "../../../../engine/stack/change";
import { isObject } from "../../../../foundation/json/isObject";
import { without } from "../../../../kubernetes/objects/objects";
import { clusterNameOf } from "../../../database/queries/clusterNames";
import type { OperationRow } from "../../../database/tables";
import type { Caller, OperationInput } from "../../../operations/input";
import type { ApiContext } from "../../context";

/** Label in which the Kyma Environment Broker gives the id of what it provisions. */
const INSTANCE = "broker_instance_id";

/**
 * Returns the operation that provisions the runtime of this request already: the answer to the first request was lost.
 * Undefined if the cluster is free, or belongs to another runtime.
 */
export async function repeated(
  { change }: OperationInput,
  { tenant }: Caller,
  { backend: { reads } }: ApiContext,
): Promise<OperationRow | undefined> {
  if (change?.platform === undefined) return undefined;
  const cluster = clusterNameOf({ ...change, platform: platformReference(change.platform) });
  const holder = cluster && (await reads.deploymentOfCluster(cluster));
  if (holder?.tenant !== tenant || holder.desiredState === "absent") return undefined;
  const { nodes } = await reads.operations({ tenant, filter: { deployment: holder.name, kind: ["provision"] } });
  const [provisioning] = nodes;
  return provisioning && isSame(provisioning.change, change) ? provisioning : undefined;
}

/**
 * The broker chooses the zones and the end of the runtime's name at random for each request, so its id decides where both
 * requests have it. Pure.
 */
export function isSame(before: RuntimeChange, now: RuntimeChange): boolean {
  const [old, next] = [before, now].map(({ deployment }) => partsOf(hideSecretValues({ deployment }).deployment));
  if (old?.instance !== undefined && next?.instance !== undefined) return old.instance === next.instance;
  return isDeepStrictEqual(old, next);
}

function partsOf(deployment: unknown) {
  const { runtime, ...rest } = isObject(deployment) ? deployment : {};
  const described = isObject(runtime) ? without(runtime, "name") : {};
  const labels = described["labels"];
  const instance = isObject(labels) ? labels[INSTANCE] : undefined;
  return { ...rest, runtime: described, instance: typeof instance === "string" ? instance : undefined };
}
