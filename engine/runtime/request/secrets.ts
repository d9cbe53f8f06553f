import { pulumi } from "../../pulumi/pulumi";
import type { StackFile } from "../../stack/file";
import { stateOf, unwrapSecrets, type SecretsProvider, type StackState } from "../../state/checkpoint";
import { withStore } from "../../state/store";

/** Top-level keys by which a stack file says how its secrets are kept. */
const KEYS = ["secretsprovider", "encryptionsalt", "encryptedkey"];

function says(file: StackFile): boolean {
  return KEYS.some((key) => file.top(key) !== undefined);
}

/** Writes into a stack file how secrets are kept, unless it says so already. */
export function setSecrets(file: StackFile, provider: SecretsProvider | undefined): void {
  if (!provider || says(file)) return;
  const { type, state } = provider;
  if (type === "passphrase") file.setTop("encryptionsalt", state.salt);
  if (type === "cloud") {
    file.setTop("secretsprovider", state.url);
    file.setTop("encryptedkey", state.encryptedkey);
  }
}

/** Lets a stack file keep its secrets as another one does, unless it says how already. */
export function copySecrets(from: StackFile, to: StackFile): void {
  if (says(to)) return;
  for (const key of KEYS) if (from.top(key) !== undefined) to.setTop(key, from.top(key));
}

/**
 * Lets a new runtime stack keep its secrets as its platform stack does, where that can be read without the CLI.
 * With a passphrase this means the same salt: the engine derives the key once instead of twice, which takes it a seventh
 * of a second each time. Both stacks need the same passphrase in any case, since one reads the other's outputs.
 */
export async function adoptSecrets(file: StackFile, folder: string, platform: unknown): Promise<void> {
  const [, project, stack] = typeof platform === "string" ? platform.split("/") : [];
  if (project === undefined || stack === undefined || says(file)) return;
  await withStore(folder, async (store) => {
    if (store.isDirect) setSecrets(file, (await store.find(project, stack))?.secrets);
  });
}

/** The state of a stack with its secrets opened, which only the owner of the passphrase or key can do. */
export async function decryptedState(id: string, folder: string): Promise<StackState> {
  const text = await pulumi(["stack", "export", "--show-secrets", "--stack", id], folder);
  return stateOf(id, unwrapSecrets((JSON.parse(text) as { deployment: unknown }).deployment));
}
