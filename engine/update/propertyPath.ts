/** Splits a path such as `objects[0].metadata.labels["app.kubernetes.io/name"]` into keys and indexes. */
export function stepsOf(path: string): (string | number)[] {
  const parts = path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.[\]]+)/g);
  return [...parts].map(([, quoted, index, key]) =>
    quoted === undefined ? (index === undefined ? (key ?? "") : Number(index)) : quoted.replace(/\\(.)/g, "$1"),
  );
}

/** Returns the value at a property path of the engine; undefined if there is none. */
export function valueAt(root: unknown, path: string): unknown {
  return stepsOf(path).reduce<unknown>((value, step) => {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    return (value as Record<string | number, unknown>)[step];
  }, root);
}
