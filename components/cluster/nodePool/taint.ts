/** A taint as kubectl writes it: `key=value:Effect`, or `key:Effect` without a value. */
export const TAINT_TEXT = /^([^=:]+)(?:=([^=:]*))?:(NoSchedule|NoExecute|PreferNoSchedule)$/;

/** Parses a taint in text form. Returns any other value unchanged, so that the schema rejects it. */
export function parseTaint(given: unknown): unknown {
  const [, key, value, effect] = (typeof given === "string" && TAINT_TEXT.exec(given)) || [];
  return effect === undefined ? given : { key, value, effect };
}
