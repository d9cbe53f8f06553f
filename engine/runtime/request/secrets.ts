import type { Workspace } from "../../../foundation/pulumi/backend";
import type { StackFile } from "../../stack/file";
import type { SecretsProvider } from "../../pulumi/state/checkpoint";
import { withStore } from "../../pulumi/state/store";

/** Top-level keys of a stack file for its secrets provider. */
const KEYS = ["secretsprovider", "encryptionsalt", "encryptedkey"];

function says(file: StackFile): boolean {
  return KEYS.some((key) => file.top(key) !== undefined);
}

/** Writes a secrets provider to a stack file, unless the file has one. */
export function setSecrets(file: StackFile, provider: SecretsProvider | undefined): void {
  if (!provider || says(file)) return;
  const { type, state } = provider;
  if (type === "passphrase") file.setTop("encryptionsalt", state.salt);
  if (type === "cloud") {
    file.setTop("secretsprovider", state.url);
    file.setTop("encryptedkey", state.encryptedkey);
  }
}

/** Copies the secrets provider of a stack file to another one, unless that has one. */
export function copySecrets(from: StackFile, to: StackFile): void {
  if (says(to)) return;
  for (const key of KEYS) if (from.top(key) !== undefined) to.setTop(key, from.top(key));
}

/**
 * Gives a new runtime stack the secrets provider of its platform stack, if it can be read without the CLI. With a
 * passphrase this shares the salt: the engine derives the key once instead of twice, which takes a seventh of a second
 * each. Both stacks need the same passphrase anyway, because one reads the other's outputs.
 */
export async function adoptSecrets(file: StackFile, workspace: Workspace, platform: unknown): Promise<void> {
  const [, project, stack] = typeof platform === "string" ? platform.split("/") : [];
  if (project === undefined || stack === undefined || says(file)) return;
  await withStore(workspace, async (store) => {
    if (store.isDirect) setSecrets(file, (await store.find(project, stack))?.secrets);
  });
}
