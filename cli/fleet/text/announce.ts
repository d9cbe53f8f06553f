import { count } from "../../../foundation/text/numbers";
import type { FleetVerb } from "../verbs";

/** Number of ids in a question for confirmation. */
const SHOWN = 20;

interface Announced {
  readonly verb: FleetVerb;
  readonly waves: readonly (readonly string[])[];
  readonly maxFailures?: number;
}

/** Announces an operation: `deploy 3 runtimes: a, b, c`. */
export function announcement({ verb, waves, maxFailures }: Announced): string {
  const ids = waves.flat();
  const sizes = waves.length > 1 ? ` in ${waves.length} waves of ${waves.map(({ length }) => length).join(", ")}` : "";
  const limit =
    maxFailures === undefined ? "" : maxFailures === 0 ? ", until one fails" : `, until more than ${maxFailures} fail`;
  const shown = ids.slice(0, SHOWN).join(", ");
  const more = ids.length > SHOWN ? ` and ${ids.length - SHOWN} more (--dry-run shows all)` : "";
  return `${verb.doing} ${count(ids.length, "runtime")}${sizes}${limit}: ${shown}${more}`;
}

/** Describes everything that would happen, for `--dry-run`. */
export function dryRunText({ verb, waves }: Announced): string {
  const total = waves.flat().length;
  if (waves.length < 2)
    return [`would ${verb.doing} ${count(total, "runtime")}:`, ...waves.flat().map((id) => `  ${id}`)].join("\n");
  return [
    `would ${verb.doing} ${count(total, "runtime")} in ${waves.length} waves:`,
    ...waves.flatMap((ids, index) => [`wave ${index + 1} (${ids.length})`, ...ids.map((id) => `  ${id}`)]),
  ].join("\n");
}
