import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";

/** A copy of the checkout, in which files can be changed. */
export interface CheckoutCopy {
  readonly folder: string;
  remove(): Promise<void>;
}

/** Copies the files that Git knows or would add, and links the npm packages. */
export async function checkoutCopy(root: string): Promise<CheckoutCopy> {
  const folder = await fs.promises.mkdtemp(path.join(tmpdir(), "stackyard-mutations-"));
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root });
  for (const file of listed.toString().split("\0").filter(Boolean)) {
    if (!fs.existsSync(path.join(root, file))) continue;
    await fs.promises.cp(path.join(root, file), path.join(folder, file));
  }
  await fs.promises.symlink(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  // Some tests ask Git for the files of the project.
  for (const args of [
    ["init", "--quiet"],
    ["add", "--all"],
  ])
    execFileSync("git", args, { cwd: folder });
  return { folder, remove: () => fs.promises.rm(folder, { recursive: true, force: true }) };
}
