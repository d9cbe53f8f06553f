import type { Workspace } from "../../../foundation/pulumi/backend";
import type { Client } from "../../../kubernetes/client/client";
import { clusterUid } from "../../../kubernetes/identity/clusterUid";
import { objectStatuses, type ObjectStatus } from "../../../kubernetes/ready/status";
import { exportedState } from "../../../engine/stack/exported";
import { appliedIn, clientOf, isSet } from "../../../engine/state/cluster";
import type { ResourceState } from "../../../engine/state/checkpoint";
import type { Colours } from "../../terminal/colours";
import { restoredBy } from "./problems";

/** Current state of a set's objects; or which cluster was found in place of its own; or why none could be read. */
export type SetCondition =
  { readonly objects: readonly ObjectStatus[] } | { readonly elsewhere: string } | { readonly unknown: string };

/** Short, because a user is waiting. */
const PATIENCE_MS = 5_000;

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
  const expected = set.outputs?.["clusterUid"];
  const found = typeof expected === "string" ? await clusterUid(client) : undefined;
  return found === undefined || found === expected
    ? { objects: await objectStatuses(client, appliedIn(set)) }
    : { elsewhere: `it is in cluster ${String(expected)}; its provisioner leads to cluster ${found} now` };
}

function sign(state: ObjectStatus["state"], colours: Colours): string {
  if (state === "ready") return colours.good("✓");
  return state === "waiting" ? colours.warn("…") : colours.bad("✗");
}

/** One line per object, followed by its pods, claims and problems. */
export function conditionLines(condition: SetCondition, id: string, colours: Colours): string[] {
  if ("elsewhere" in condition) return [`  ${colours.bad("✗")} ${condition.elsewhere}`];
  if ("unknown" in condition) return [`  ${colours.bad("?")} the cluster did not answer: ${condition.unknown}`];
  const lines = condition.objects.flatMap(({ object, state, detail, lines: more }) => {
    return [`  ${sign(state, colours)} ${object}  ${colours.dim(detail)}`, ...more.map((line) => `      ${line}`)];
  });
  return [...lines, ...restoredBy(condition.objects, id)];
}
