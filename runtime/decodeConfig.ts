import * as pulumi from "@pulumi/pulumi";
import { jsonOrText } from "../foundation/json/isObject";
import { ConfigError } from "../foundation/schema/faults";
import {
  decodeRuntimeConfig,
  RUNTIME_NAMESPACE,
  RUNTIME_TEXT_KEYS,
  type RuntimeConfig,
} from "../components/runtime/deployment";
import { runRefusal } from "./refusal";

const NAMESPACE = `${RUNTIME_NAMESPACE}:`;

/** Decodes the stack config. Throws a RunError with every fault; the engine prints it without a stack trace. */
export function readConfig(): RuntimeConfig {
  const all = pulumi.runtime.allConfig();
  // Pulumi passes objects as JSON. The schema rejects what can't be parsed.
  const values = Object.entries(all)
    .filter(([key]) => key.startsWith(NAMESPACE))
    .map(([key, value]) => [key.slice(NAMESPACE.length), value] as const)
    .map(([key, value]) => [key, RUNTIME_TEXT_KEYS.has(key) ? value : jsonOrText(value)] as const);
  try {
    return decodeRuntimeConfig(Object.fromEntries(values), pulumi.getStack(), Object.keys(all));
  } catch (error) {
    throw error instanceof ConfigError ? runRefusal(error) : error;
  }
}

// Public at run time, but marked internal in the types. Only this function distinguishes a secret from a plain value
// without an Output.
const { isConfigSecret } = pulumi.runtime as unknown as { isConfigSecret: (key: string) => boolean };

/**
 * Whether the deployment is secret in the stack config. Then the values derived from it are secret in the state too.
 */
export const isSecretDeployment = (): boolean => isConfigSecret(`${NAMESPACE}deployment`);
