import { StackFile } from "../stack/file";
import { PLATFORM_PROJECT, RUNTIME_PROJECT } from "../stack/names";
import type { RuntimeConfig } from "../stack/change";

/** Key of a runtime's config in its stack file. */
export function configKey(name: keyof RuntimeConfig): string {
  return `${RUNTIME_PROJECT}:${name}`;
}

const KEYS = ["platform", "deployment", "move"] as const;

export function readConfig(file: StackFile): RuntimeConfig {
  return Object.fromEntries(KEYS.map((key) => [key, file.config(configKey(key))]));
}

export function writeConfig(file: StackFile, config: RuntimeConfig): void {
  for (const key of KEYS) file.setConfig(configKey(key), config[key]);
}

/** Top-level keys by which a stack file says how its secrets are kept. */
const SECRETS_KEYS = ["secretsprovider", "encryptionsalt", "encryptedkey"] as const;

/**
 * Lets a new runtime stack keep its secrets as its platform stack does, where that stack's file is in this checkout.
 * With a passphrase this means the same salt: the engine derives the key once instead of twice, which takes it a seventh
 * of a second each time. Both stacks need the same passphrase in any case, since one reads the other's outputs.
 */
export async function adoptSecrets(file: StackFile, root: string, platform: unknown): Promise<void> {
  if (SECRETS_KEYS.some((key) => file.top(key) !== undefined)) return;
  const [, project, stack] = typeof platform === "string" ? platform.split("/") : [];
  if (project !== PLATFORM_PROJECT || stack === undefined) return;
  const other = await StackFile.read(root, stack);
  for (const key of SECRETS_KEYS) {
    const value = other.top(key);
    if (value !== undefined) file.setTop(key, value);
  }
}
