import * as path from "node:path";
import { PROJECTS, STACK_FILE, type DescribedStack } from "../../project/stacks";
import type { Affected } from "./affected";

/** Returns the stacks whose files a change deletes. Pure. */
export function deletedStacks(files: readonly string[], stacks: readonly DescribedStack[]): Affected[] {
  return files.flatMap((file) => {
    const { dir, base } = path.posix.parse(file);
    const name = STACK_FILE.exec(base)?.[1];
    const project = PROJECTS.find(({ folder }) => folder === dir)?.project;
    if (name === undefined || project === undefined || stacks.some((stack) => stack.file === file)) return [];
    return [{ stack: { id: `${project}/${name}`, project, name, file, config: {}, isDeleted: true }, files: [file] }];
  });
}
