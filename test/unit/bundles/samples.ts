import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { BundleCache } from "../../../bundles/cache";
import { FormatError } from "../../../bundles/errors";
import { makeTree, type FileTree } from "../../../bundles/tree/tree";

export const configMap = (name: string, more = ""): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${more}`;

/** A tree with these texts. */
export const treeOf = (files: Readonly<Record<string, string | Buffer>>, folders: string[] = []): FileTree =>
  makeTree(
    Object.entries(files).map(([path, text]) => [path, Buffer.from(text)] as const),
    folders,
  );

/** A cache that works; one that has something to report does not. */
export const cacheIn = (folder: string, limitBytes?: number): BundleCache =>
  new BundleCache((message) => assert.fail(message), folder, limitBytes);

/** What is wrong with a bundle, as `place: what`. */
export function faultsIn(error: unknown): string[] {
  assert.ok(error instanceof FormatError, String(error));
  return error.message
    .split("\n")
    .slice(1)
    .map((line) => line.replace(/^ {2}- /, ""));
}

/** A folder that is gone when the tests of the suite are done. */
export function temporaryFolder(): () => string {
  let folder = "";
  before(() => (folder = mkdtempSync(join(tmpdir(), "stackyard-bundles-"))));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return () => folder;
}

/** Writes files below a folder; a value `-> target` is a link. */
export async function write(folder: string, files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    if (typeof content === "string" && content.startsWith("-> ")) await symlink(content.slice(3), file);
    else await writeFile(file, content);
  }
  return folder;
}
