import { readFile } from "node:fs/promises";
import * as path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { StackFile } from "../../engine/stack/file";
import { checkoutOf, fileAt, type Checkout, type Differing } from "../project/git";
import { STACK_FILE } from "../project/stacks";

const SALT = "encryptionsalt";

/** Returns the commit of the checkout, and whether local changes could affect a program or a stack. */
export async function checkedOut(root: string): Promise<{ readonly commit: string; readonly isDirty: boolean }> {
  const checkout = await checkoutOf(root);
  const isNoticed = await Promise.all(checkout.differing.map(async (one) => !(await hasOnlyMoreSalt(checkout, one))));
  return { commit: checkout.commit, isDirty: isNoticed.includes(true) };
}

/**
 * Pulumi adds a salt to a stack file without one when a command first uses its secrets. Replacing an existing salt is a
 * real change: older secrets can't be decrypted with the new one.
 */
async function hasOnlyMoreSalt({ top, commit }: Checkout, { file, isModified }: Differing): Promise<boolean> {
  if (!isModified || !STACK_FILE.test(path.posix.basename(file))) return false;
  const [before, after] = await Promise.all([fileAt(top, commit, file), readFile(path.join(top, file), "utf8")]);
  const { [SALT]: salt, ...rest } = StackFile.of(after, file).whole();
  return salt !== undefined && isDeepStrictEqual(rest, StackFile.of(before ?? "", file).whole());
}
