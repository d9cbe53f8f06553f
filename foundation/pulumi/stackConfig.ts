/** Reads the config of the current stack. */

/**
 * A key of the stack config as text; objects are JSON. The engine passes the stack's current config to each provider
 * process, also during a destroy, when no program runs. Keys of the project's own namespace have no prefix.
 */
export function textInConfig(key: string, environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const config = parsed(environment["PULUMI_CONFIG"]);
  const text = typeof config === "object" && config !== null ? (config as Record<string, unknown>)[key] : undefined;
  return typeof text === "string" ? text : undefined;
}

/** A list of strings in the stack config; empty if not set. */
export function listInConfig(key: string, environment?: NodeJS.ProcessEnv): readonly string[] {
  const list = parsed(textInConfig(key, environment));
  return Array.isArray(list) ? list.filter((entry) => typeof entry === "string") : [];
}

/** Ignores invalid values: the program's schema reports them. */
function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "null") as unknown;
  } catch {
    return undefined;
  }
}
