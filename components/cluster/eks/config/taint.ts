/** A taint as kubectl writes it: `key=value:Effect`, or `key:Effect` without a value. */
export const TAINT_TEXT = /^([^=:]+)(?:=([^=:]*))?:(NoSchedule|NoExecute|PreferNoSchedule)$/;

/** The text as an object; anything else as it is, for a schema to refuse. */
export function parseTaint(given: unknown): unknown {
  const [, key, value, effect] = (typeof given === "string" && TAINT_TEXT.exec(given)) || [];
  return effect === undefined ? given : { key, value, effect };
}
