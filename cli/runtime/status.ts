import type { Context } from "../context";
import { Failure } from "../../foundation/errors";
import { count } from "../../foundation/text/numbers";
import { headLines } from "../fleet/text/head";
import { conditionLines } from "../fleet/text/condition";
import { lifetimeText, operationText } from "../service/text";
import { outputLines } from "./text/result";
import { deploymentId } from "../../engine/stack/names";
import { structured, type OutputOptions } from "../options/output";
import type { TargetOptions } from "./options";
import { runtimeTarget } from "./target/choose";
import type { Status } from "./target/target";

/** Prints a runtime's request, outputs, resources, and the current state of its objects. */
export async function status(context: Context, id: string, options: OutputOptions & TargetOptions): Promise<void> {
  const target = await runtimeTarget(context, options);
  const found = await target.status(deploymentId(id));
  if (!found) throw new Failure(`there is no runtime ${id}; "stackyard runtime list" shows those there are`);
  const { outputs, consistsOf, conditions } = found;
  const printed = structured(found, options);
  if (printed !== undefined) return context.print(printed);
  const objects = conditions.flatMap((condition) => conditionLines(condition, id, context.colours));
  const list = objects.length > 0 ? objects : consistsOf.map((part) => `  ${part}`);
  const heading = list.length > 0 ? ["consists of"] : [];
  const lines = [...headLines(found, new Date()), ...outputLines(outputs), ...serviceLines(context, found)];
  context.print([...lines, ...heading, ...list].join("\n"));
}

/** What the service knows besides. */
function serviceLines({ colours }: Context, { id, service }: Status): string[] {
  if (!service) return [];
  const { revision, stack, health, drift, lifetime, lastOperation } = service;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["revision", `${revision}${service.protected ? ", protected" : ""}`],
    ["stack", stack === id ? undefined : stack],
    ["health", health ? [health.state, health.reason].filter(Boolean).join(": ") : undefined],
    ["drift", drift ? (drift.error ?? count(drift.changes.length, "change")) : undefined],
    ["lifetime", lifetime ? lifetimeText(lifetime) : undefined],
  ];
  const known = rows.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name.padEnd(11)}  ${value}`]));
  return lastOperation ? [...known, operationText(lastOperation, colours)] : known;
}
