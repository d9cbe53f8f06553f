/** Reads the config of the current stack. */

import { jsonIn, objectIn } from "../json/isObject";

/**
 * A key of the stack config as text; objects are JSON. The engine passes the stack's current config to each provider
 * process, also during a destroy, when no program runs. Keys of the project's own namespace have no prefix.
 */
export function textInConfig(key: string, environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const text = objectIn(environment["PULUMI_CONFIG"] ?? "")[key];
  return typeof text === "string" ? text : undefined;
}

/** A list of strings in the stack config; empty if not set. */
export function listInConfig(key: string, environment?: NodeJS.ProcessEnv): readonly string[] {
  // Ignores invalid values: the program's schema reports them.
  const list = jsonIn(textInConfig(key, environment) ?? "null");
  return Array.isArray(list) ? list.filter((entry) => typeof entry === "string") : [];
}
