import type { Workspace } from "../../foundation/pulumi/backend";
import { currentRevisions } from "../fleet/platforms";
import { summarise, type FoundRuntime } from "../fleet/summary";
import { provisionerOf, readRuntimes } from "../../engine/runtime/list";
import { recordInState } from "../../engine/runtime/request/recorded";
import { PLATFORM_PROJECT } from "../../engine/stack/names";
import type { Outputs } from "./report";
import type { DescribedStack } from "../project/stacks";

/** Returns the ids of runtimes that an update of a platform would make outdated, in the order of the state. */
export async function outdatedBy(
  workspace: Workspace,
  stack: DescribedStack,
  outputs: Outputs | undefined,
): Promise<string[]> {
  if (stack.project !== PLATFORM_PROJECT || outputs === undefined) return [];
  const runtimes = await readRuntimes(workspace);
  const found = runtimes.map((state) => ({ state, record: recordInState(state), provisioner: provisionerOf(state) }));
  return outdatedAmong(found, stack.name, outputs);
}

/** Returns the ids of runtimes that the changed outputs of a platform make outdated. Pure. */
export function outdatedAmong(
  runtimes: readonly FoundRuntime[],
  platform: string,
  { before, after }: Outputs,
): string[] {
  return runtimes.flatMap((found) => {
    const reference = found.record?.platform;
    if (!reference?.endsWith(`/${PLATFORM_PROJECT}/${platform}`)) return [];
    const isOutdated = (outputs: Outputs["before"]): boolean | undefined =>
      summarise(found, new Map([[reference, currentRevisions(outputs)]])).outdated;
    return isOutdated(after) === true && isOutdated(before) !== true ? [found.state.name] : [];
  });
}
