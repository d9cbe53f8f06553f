import { objectStatuses, type ObjectStatus } from "../../../kubernetes/ready/status";
import { pulumi } from "../../../engine/pulumi/pulumi";
import { appliedIn, clientOf, isSet } from "../../../engine/state/cluster";
import { stateOf, type ResourceState } from "../../../engine/state/checkpoint";
import type { Colours } from "../../terminal/colours";
import { restoredBy } from "./problems";

/** Current state of a set's objects, or why its cluster could not be read. */
export type SetCondition = { readonly objects: readonly ObjectStatus[] } | { readonly unknown: string };

/** Short, because a user is waiting. */
const PATIENCE_MS = 5_000;

/** Reads the objects of a stack's manifest sets. The CLI decrypts the credentials of their clusters in the state. */
export async function readConditions(id: string, folder: string): Promise<SetCondition[]> {
  const text = await pulumi(["stack", "export", "--show-secrets", "--stack", id], folder);
  const { resources } = stateOf(id, (JSON.parse(text) as { deployment: unknown }).deployment);
  return Promise.all(resources.filter(isSet).map(conditionOf));
}

async function conditionOf(set: ResourceState): Promise<SetCondition> {
  try {
    return { objects: await objectStatuses(clientOf(set, PATIENCE_MS), appliedIn(set)) };
  } catch (error) {
    return { unknown: error instanceof Error ? error.message : String(error) };
  }
}

function sign(state: ObjectStatus["state"], colours: Colours): string {
  if (state === "ready") return colours.good("✓");
  return state === "waiting" ? colours.warn("…") : colours.bad("✗");
}

/** One line per object, followed by its pods, claims and problems. */
export function conditionLines(condition: SetCondition, id: string, colours: Colours): string[] {
  if ("unknown" in condition) return [`  ${colours.bad("?")} the cluster did not answer: ${condition.unknown}`];
  const lines = condition.objects.flatMap(({ object, state, detail, lines: more }) => {
    return [`  ${sign(state, colours)} ${object}  ${colours.dim(detail)}`, ...more.map((line) => `      ${line}`)];
  });
  return [...lines, ...restoredBy(condition.objects, id)];
}
