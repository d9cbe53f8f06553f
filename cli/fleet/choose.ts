import { Failure, UsageError } from "../../foundation/errors";
import { deploymentId } from "../../engine/stack/names";
import { readFleet, type Runtime } from "./read";
import { isFilter, matches, type Filter } from "./select";

/** How a command line names runtimes. */
export interface Choice {
  readonly ids: readonly string[];
  readonly all?: boolean;
  readonly filter: Filter;
}

/** Whether the runtimes are chosen by what they are, and not named one by one. */
export const isSelection = ({ all, filter }: Choice): boolean => all === true || isFilter(filter);

/** Throws if a command line names no runtime, in two ways, or by what is no id. Reads nothing. */
export function checkChoice(choice: Choice): void {
  const { ids } = choice;
  ids.forEach(deploymentId);
  if (isSelection(choice)) {
    if (ids.length > 0) throw new UsageError("pass either ids, or --all and filters, not both");
  } else if (ids.length === 0) {
    throw new UsageError("an id is missing; or choose with --all or a filter such as --failed");
  }
}

/** The runtimes that a command line means. Throws if it names one that there is not. */
export async function chooseRuntimes(choice: Choice, folder: string): Promise<Runtime[]> {
  checkChoice(choice);
  const { ids, filter } = choice;
  if (isSelection(choice)) return (await readFleet(folder)).filter(({ summary }) => matches(summary, filter));
  const wanted = [...new Set(ids)];
  const found = await readFleet(folder, wanted);
  const missing = wanted.filter((id) => !found.some(({ summary }) => summary.id === id));
  if (missing.length > 0) {
    throw new Failure(`there is no runtime ${missing.join(", ")}; "stackyard runtime list" shows those that exist`);
  }
  return found;
}
