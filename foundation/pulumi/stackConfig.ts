/** The config of the stack that is at work. */

/**
 * A key of the stack's config as text; objects are JSON. The engine gives the process of a provider the stack's present
 * config, in a destroy too, where no program runs. Keys of the project's own namespace come without it.
 */
export function textInConfig(key: string, environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const config = parsed(environment["PULUMI_CONFIG"]);
  const text = typeof config === "object" && config !== null ? (config as Record<string, unknown>)[key] : undefined;
  return typeof text === "string" ? text : undefined;
}

/** A list of texts in the stack's config; empty if there is none. */
export function listInConfig(key: string, environment?: NodeJS.ProcessEnv): readonly string[] {
  const list = parsed(textInConfig(key, environment));
  return Array.isArray(list) ? list.filter((entry) => typeof entry === "string") : [];
}

/** The program's schema says what is wrong with a value. */
function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "null") as unknown;
  } catch {
    return undefined;
  }
}
