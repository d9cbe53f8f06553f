import { StackFile } from "../stack/file";
import { typeNamed } from "../../components/runtime/types/registry";
import { PLATFORM_PROJECT, RUNTIME_PROJECT } from "../stack/names";
import type { RunConfig, RuntimeConfig } from "../stack/change";
import { isObject } from "../../foundation/json/isObject";

/** Returns the full key of a runtime's config in its stack file. */
export function configKey(name: keyof RunConfig): string {
  return `${RUNTIME_PROJECT}:${name}`;
}

const KEYS = ["platform", "deployment", "move"] as const;

export function readRuntimeConfig(file: StackFile): RuntimeConfig {
  return Object.fromEntries(KEYS.map((key) => [key, file.config(configKey(key))]));
}

export function writeConfig(file: StackFile, config: RuntimeConfig): void {
  for (const key of KEYS) file.setConfig(configKey(key), config[key]);
}

/**
 * Whether a command wrote the file for this stack's runtime. If the stack has none, the file is left from one that was
 * destroyed elsewhere. A file that a user wrote or copied for a new deployment has no such mark.
 */
export const isWrittenFor = (file: StackFile, id: string): boolean => file.config(configKey("deployed")) === id;

/** Reads the stack file of a runtime's platform; undefined if this checkout has none. */
export async function platformFile(root: string, platform: unknown): Promise<StackFile | undefined> {
  const [, project, stack] = typeof platform === "string" ? platform.split("/") : [];
  if (project !== PLATFORM_PROJECT || stack === undefined) return undefined;
  const file = await StackFile.read(root, stack);
  return file.exists ? file : undefined;
}

/**
 * Guesses from the platform's stack file whether a deployment needs the Kubernetes provider, to start it early. True if
 * unknown.
 */
export function likelyKubernetes(platform: StackFile | undefined, deployment: unknown): boolean {
  const at = (of: unknown, key: unknown) => (isObject(of) && typeof key === "string" ? of[key] : undefined);
  const config = (key: string) => platform?.config(`${PLATFORM_PROJECT}:${key}`);
  const environment = at(config("environments"), at(deployment, "environment") ?? "prod");
  const name = at(deployment, "provisioner") ?? at(environment, "provisioner") ?? config("defaultProvisioner");
  const type = typeNamed(at(at(config("provisioners"), name), "type"));
  return type === undefined || type.usesKubernetes === true;
}
