import { readFile } from "node:fs/promises";
import * as path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { StackFile } from "../../engine/stack/file";
import { checkoutOf, fileAt, type Checkout, type Differing } from "./git";
import { STACK_FILE } from "./stacks";

const SALT = "encryptionsalt";

/** The commit that is checked out, and whether anything differs from it that a program or a stack could notice. */
export async function checkedOut(root: string): Promise<{ readonly commit: string; readonly isDirty: boolean }> {
  const checkout = await checkoutOf(root);
  const isNoticed = await Promise.all(checkout.differing.map(async (one) => !(await hasOnlyMoreSalt(checkout, one))));
  return { commit: checkout.commit, isDirty: isNoticed.includes(true) };
}

/**
 * Pulumi writes a salt into a stack file that has none, at the first command that opens its secrets. A salt that replaces another one
 * is somebody's change: what was encrypted before can't be read with it.
 */
async function hasOnlyMoreSalt({ top, commit }: Checkout, { file, isModified }: Differing): Promise<boolean> {
  if (!isModified || !STACK_FILE.test(path.posix.basename(file))) return false;
  const [before, after] = await Promise.all([fileAt(top, commit, file), readFile(path.join(top, file), "utf8")]);
  const { [SALT]: salt, ...rest } = StackFile.of(after, file).whole();
  return salt !== undefined && isDeepStrictEqual(rest, StackFile.of(before ?? "", file).whole());
}
