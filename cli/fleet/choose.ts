import { Failure, UsageError } from "../../foundation/errors";
import { deploymentId } from "../../engine/stack/names";
import type { Runtime } from "./read";
import { isFilter, matches, type Filter } from "./select";

/** How a command line selects runtimes. */
export interface RuntimeSelection {
  readonly ids: readonly string[];
  readonly all?: boolean;
  readonly filter: Filter;
}

/** Whether the runtimes are selected by their properties, not by id. */
export const isSelection = ({ all, filter }: RuntimeSelection): boolean => all === true || isFilter(filter);

/** Throws if a command line selects no runtime, mixes both ways, or has an invalid id. Reads nothing. */
export function checkChoice(choice: RuntimeSelection): void {
  const { ids } = choice;
  ids.forEach(deploymentId);
  if (isSelection(choice)) {
    if (ids.length > 0) throw new UsageError("pass either ids, or --all and filters, not both");
  } else if (ids.length === 0) {
    throw new UsageError("an id is missing; or choose with --all or a filter such as --failed");
  }
}

/** Reads all runtimes, or those of `ids` that exist. */
export type ReadRuntimes<One> = (ids?: readonly string[]) => Promise<readonly One[]>;

/** Returns the selected runtimes. Throws if one does not exist. */
export async function chooseRuntimes<One extends Pick<Runtime, "summary">>(
  choice: RuntimeSelection,
  read: ReadRuntimes<One>,
): Promise<readonly One[]> {
  checkChoice(choice);
  const { ids, filter } = choice;
  if (isSelection(choice)) return (await read()).filter(({ summary }) => matches(summary, filter));
  const wanted = [...new Set(ids)];
  const found = await read(wanted);
  const missing = wanted.filter((id) => !found.some(({ summary }) => summary.id === id));
  if (missing.length > 0) {
    throw new Failure(`there is no runtime ${missing.join(", ")}; "stackyard runtime list" shows those that exist`);
  }
  return found;
}
