import type { Workspace } from "../../foundation/pulumi/backend";
import { count } from "../../foundation/text/numbers";
import type { Client } from "../../kubernetes/client/client";
import { otherUid } from "../../kubernetes/identity/clusterUid";
import { textAt } from "../../kubernetes/objects/objects";
import { objectStatuses, type ObjectStatus } from "../../kubernetes/ready/status";
import { exportedState } from "../stack/exported";
import type { ResourceState, StackState } from "../pulumi/state/checkpoint";
import { appliedIn, clientOf, isSet } from "../stack/cluster";

/** Lists the parts of a runtime from the state of its stack: slots on a host, objects in a cluster. */
export function consistsOf(resources: readonly ResourceState[]): string[] {
  return resources.flatMap(({ type, id, inputs = {}, outputs = {} }) => {
    if (type === "stackyard:index:SlotAllocation") {
      const slots = typeof inputs.slots === "number" ? count(inputs.slots, "slot") : "slots";
      return [`${slots} of pool ${String(inputs.pool)} on ${String(outputs.host)}`];
    }
    if (type === "stackyard:index:ManifestSet") {
      return Array.isArray(outputs.inventory) ? outputs.inventory.map(String) : [];
    }
    if (type === "stackyard:index:Shoot") {
      const asleep = outputs.hibernated === true ? ", hibernated" : "";
      return [`Shoot ${String(id)} with Kubernetes ${String(outputs.kubernetesVersion)}${asleep}`];
    }
    if (type === "stackyard:index:ClickHouseDatabase") {
      const place = `${String(outputs.host)}:${String(outputs.port)}`;
      const closed = inputs.access === false ? ", without a user" : "";
      return [`ClickHouse database ${String(inputs.database)} on ${place}${closed}`];
    }
    return [];
  });
}

/** Current state of a set's objects; or which cluster was found in place of its own; or why none could be read. */
export type SetCondition =
  { readonly objects: readonly ObjectStatus[] } | { readonly elsewhere: string } | { readonly unknown: string };

/** What a runtime consists of according to its state, and the current state of its objects. */
export interface RuntimeContents {
  readonly consistsOf: readonly string[];
  readonly conditions: readonly SetCondition[];
}

/** Short, because a user is waiting. */
const PATIENCE_MS = 5_000;

export async function readContents(stack: StackState, workspace: Workspace): Promise<RuntimeContents> {
  const { name, resources } = stack;
  const conditions = resources.some(isSet) ? await readConditions(name, workspace) : [];
  return { consistsOf: consistsOf(resources), conditions };
}

/** Reads the objects of a stack's manifest sets. The CLI decrypts the credentials of their clusters in the state. */
export async function readConditions(id: string, workspace: Workspace): Promise<SetCondition[]> {
  const { resources } = await exportedState(id, workspace);
  return Promise.all(resources.filter(isSet).map(conditionOf));
}

async function conditionOf(set: ResourceState): Promise<SetCondition> {
  try {
    return await readCondition(set, clientOf(set, PATIENCE_MS));
  } catch (error) {
    return { unknown: error instanceof Error ? error.message : String(error) };
  }
}

/** In another cluster the same names would belong to another owner, so objects there are not compared. */
export async function readCondition(set: ResourceState, client: Client): Promise<SetCondition> {
  const recorded = textAt(set.outputs, "clusterUid");
  const other = await otherUid(client, recorded);
  return other === undefined
    ? { objects: await objectStatuses(client, appliedIn(set)) }
    : { elsewhere: `it is in cluster ${recorded}; its provisioner leads to cluster ${other} now` };
}
