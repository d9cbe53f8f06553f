import * as pulumi from "@pulumi/pulumi";
import { decodeConfig, type RawConfig } from "./decodeConfig";
import { ConfigError } from "./faults";
import { projectFiles } from "./files";
import type { PlatformConfig } from "./platformConfig";
import { TEXT_KEYS } from "./schema";

const NAMESPACE = "stackyard:";

// Public at run time, marked internal in the types; nothing else tells a secret from a plain value without an Output.
const { isConfigSecret } = pulumi.runtime as unknown as { isConfigSecret: (key: string) => boolean };

/**
 * The stack's config, decoded. The only place that asks Pulumi for it; the engine runs programs in the project's
 * folder, where relative paths start. Throws a RunError with every fault: the engine prints it without a stack trace.
 */
export function readConfig(): PlatformConfig {
  try {
    return decodeConfig(rawConfig(pulumi.runtime.allConfig()), projectFiles(process.cwd()));
  } catch (error) {
    throw error instanceof ConfigError ? new pulumi.RunError(error.message) : error;
  }
}

/** All config of the namespace at once, because a key that nobody knows has to be found too. */
function rawConfig(all: Readonly<Record<string, string>>): RawConfig {
  const keys = Object.keys(all).filter((key) => key.startsWith(NAMESPACE));
  const short = (key: string): string => key.slice(NAMESPACE.length);
  return {
    values: Object.fromEntries(keys.map((key) => [short(key), parsed(short(key), all[key] ?? "")])),
    stack: pulumi.getStack(),
    allKeys: Object.keys(all),
    secretKeys: new Set(keys.filter((key) => isConfigSecret(key)).map(short)),
  };
}

/** Pulumi hands over objects as JSON; what is none is left for the schema to refuse. */
function parsed(key: string, value: string): unknown {
  if (TEXT_KEYS.has(key)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}
