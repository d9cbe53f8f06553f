import type { DescribedStack } from "../../project/stacks";
import { reachedFrom, type Imports } from "../../../foundation/reachedFrom";
import { namedBy } from "./named";
import { FEATURES, PROGRAMS, READ, type Concerns } from "./parts";

/** A stack that a change affects, with the changed files that cause it. */
export interface Affected {
  readonly stack: DescribedStack;
  readonly files: readonly string[];
}

/**
 * Returns the stacks that a change of these files affects: stacks whose own file changed, whose config names the file
 * or its folder, or whose program runs or reads it. Pure.
 */
export function affectedBy(files: readonly string[], stacks: readonly DescribedStack[], imports: Imports): Affected[] {
  const parts = partsOf(imports);
  return stacks.flatMap((stack) => {
    const isNamed = namedBy(stack, stack.config);
    const runs = parts.filter(({ concerns }) => concerns(stack));
    const mine = files.filter(
      (file) =>
        file === stack.file || isNamed(file) || runs.some((part) => part.files.has(file)) || isRead(file, stack),
    );
    return mine.length === 0 ? [] : [{ stack, files: mine }];
  });
}

const isRead = (file: string, stack: DescribedStack): boolean =>
  READ.find(([pattern]) => pattern.test(file))?.[1](stack) ?? false;

interface Part {
  readonly concerns: Concerns;
  readonly files: ReadonlySet<string>;
}

function partsOf(imports: Imports): Part[] {
  const entries = new Set(FEATURES.flatMap((feature) => feature.entries));
  return [
    ...PROGRAMS.map(({ entry, concerns }) => ({ concerns, files: reachedFrom(imports, [entry], entries) })),
    ...FEATURES.map(({ entries: own, concerns }) => ({ concerns, files: reachedFrom(imports, own, entries) })),
  ];
}
