/** The name of a ManifestSet in a state; the input was called `set` before. */
export const setNameOf = (properties: Readonly<Record<string, unknown>> = {}): unknown =>
  properties["name"] ?? properties["set"];
