import { connect } from "../../provider/kubernetes/connect";
import { statusOf, type ObjectStatus } from "../../provider/manifests/status";
import { pulumi } from "../engine/pulumi";
import { stateOf, type ResourceState } from "../state/checkpoint";
import type { Colours } from "../terminal/colours";

/** How a set's objects are now, or why its cluster could not be asked. */
export type Condition = { readonly objects: readonly ObjectStatus[] } | { readonly unknown: string };

/** A cluster that does not answer is told soon: somebody is waiting. */
const PATIENCE_MS = 5_000;

export const isSet = ({ type }: ResourceState): boolean => type === "stackyard:index:ManifestSet";

/** Asks the clusters of a stack's manifest sets. The way into them is secret in the state, so the CLI decrypts it. */
export async function conditionsOf(id: string, folder: string): Promise<Condition[]> {
  const text = await pulumi(["stack", "export", "--show-secrets", "--stack", id], folder);
  const { resources } = stateOf(id, (JSON.parse(text) as { deployment: unknown }).deployment);
  return Promise.all(resources.filter(isSet).map(conditionOf));
}

async function conditionOf({ inputs = {}, outputs = {} }: ResourceState): Promise<Condition> {
  const { context } = inputs;
  const inventory = Array.isArray(outputs["inventory"]) ? outputs["inventory"].map(String) : [];
  try {
    const client = connect(plain(inputs["kubeconfig"]), typeof context === "string" ? context : undefined, {
      patienceMs: PATIENCE_MS,
    });
    return { objects: await statusOf(client, inventory) };
  } catch (error) {
    return { unknown: error instanceof Error ? error.message : String(error) };
  }
}

/** A decrypted secret stands in the export as JSON inside its envelope. */
function plain(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const { plaintext } = (value ?? {}) as { plaintext?: unknown };
  return typeof plaintext === "string" ? (JSON.parse(plaintext) as string) : undefined;
}

function sign(state: ObjectStatus["state"], colours: Colours): string {
  if (state === "ready") return colours.good("✓");
  return state === "waiting" ? colours.warn("…") : colours.bad("✗");
}

/** One line per object, its pods, claims and troubles below it. */
export function conditionLines(condition: Condition, id: string, colours: Colours): string[] {
  if ("unknown" in condition) return [`  ${colours.bad("?")} the cluster could not be asked: ${condition.unknown}`];
  const lines = condition.objects.flatMap(({ object, state, detail, lines: more }) => {
    return [`  ${sign(state, colours)} ${object}  ${colours.dim(detail)}`, ...more.map((line) => `      ${line}`)];
  });
  const gone = condition.objects.some(({ state }) => state === "missing");
  return gone ? [...lines, `what is missing comes back with: stackyard runtime up ${id} --refresh`] : lines;
}
