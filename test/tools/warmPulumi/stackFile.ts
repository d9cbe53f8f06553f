import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import { stringify } from "yaml";
import type { Workspace } from "../../../foundation/pulumi/backend";
import { checkpointFile } from "../../../engine/pulumi/state/encoding";
import { FileStore } from "../../../engine/pulumi/state/fileStore";
import { projectRoot } from "../../../toolchain/root";
import { PASSPHRASE } from "../../../toolchain/yard/passphrase";
import { encrypt, saltIn, secretsKey } from "../../../toolchain/yard/pulumiSecrets";

/** The salt that all stacks of tests share: a process that stays loaded derives the key of a salt once. */
const SALT = saltIn(readFileSync(path.join(projectRoot(), "Pulumi.dev.yaml"), "utf8")) ?? "";
let key: Buffer | undefined;

/** A secret of a stack file, as `pulumi config set --secret` writes it. */
export const secure = (value: string): { readonly secure: string } => ({
  secure: encrypt((key ??= secretsKey(PASSPHRASE, SALT)!), value),
});

/** Text of a stack file with this config, by full key. */
export const stackFile = (config: object, salt = SALT): string => stringify({ encryptionsalt: salt, config });

/** Whether a backend is a folder. */
export const isFolder = ({ backend = "" }: Workspace): boolean => backend.startsWith("file://");

/**
 * Makes a new, empty stack in a backend that is a folder, as `pulumi stack init` does in a quarter of a second of CPU.
 * Throws if the stack exists.
 */
export async function makeStack(project: string, stack: string, { backend = "", folder }: Workspace): Promise<void> {
  const store = FileStore.open(backend, folder);
  const meta = path.join(new URL(backend).pathname, ".pulumi", "meta.yaml");
  if (!existsSync(meta)) {
    mkdirSync(path.dirname(meta), { recursive: true });
    writeFileSync(meta, "version: 1\n");
  }
  if (await store.exists(project, stack)) throw new Error(`the stack ${stack} of ${project} exists already`);
  await store.create(project, stack);
}

/** Outputs of a stack in a backend that is a folder, as `pulumi stack output --json` prints them. */
export async function outputsOf(
  project: string,
  stack: string,
  { backend = "", folder }: Workspace,
): Promise<Record<string, unknown>> {
  const found = await FileStore.open(backend, folder).find(project, stack);
  if (found === undefined) throw new Error(`the stack ${stack} of ${project} does not exist`);
  return { ...found.outputs };
}

/** Names of a project's stacks in a backend that is a folder, sorted. */
export function stacksOf(project: string, { backend = "" }: Workspace): string[] {
  const folder = path.join(new URL(backend).pathname, ".pulumi", "stacks", project);
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return [...new Set(files.flatMap((file) => checkpointFile(file)?.stack ?? []))].sort();
}
