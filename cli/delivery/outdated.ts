import * as path from "node:path";
import { factsOf } from "../fleet/platforms";
import { summarise, type Found } from "../fleet/text/summary";
import { provisionerOf, readRuntimes } from "../../engine/runtime/list";
import { recordOf } from "../../engine/runtime/request/recorded";
import { PLATFORM_PROJECT } from "../../engine/stack/names";
import type { Outputs } from "./review/report";
import type { DescribedStack } from "./stacks";

/** Returns the ids of runtimes that an update of a platform would make outdated, in the order of the state. */
export async function outdatedBy(root: string, stack: DescribedStack, outputs: Outputs | undefined): Promise<string[]> {
  if (stack.project !== PLATFORM_PROJECT || outputs === undefined) return [];
  const runtimes = await readRuntimes(path.join(root, "runtime"));
  const found = runtimes.map((state) => ({ state, record: recordOf(state), provisioner: provisionerOf(state) }));
  return outdatedAmong(found, stack.name, outputs);
}

/** Returns the ids of runtimes that the changed outputs of a platform make outdated. Pure. */
export function outdatedAmong(runtimes: readonly Found[], platform: string, { before, after }: Outputs): string[] {
  return runtimes.flatMap((found) => {
    const reference = found.record?.platform;
    if (!reference?.endsWith(`/${PLATFORM_PROJECT}/${platform}`)) return [];
    const isOutdated = (outputs: Outputs["before"]): boolean | undefined =>
      summarise(found, new Map([[reference, factsOf(outputs)]])).outdated;
    return isOutdated(after) === true && isOutdated(before) !== true ? [found.state.name] : [];
  });
}
