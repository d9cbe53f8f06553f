/** Files by the files that they import. */
export type Imports = ReadonlyMap<string, readonly string[]>;

/** Returns these files and all their direct and indirect imports, without following the files in `without`. Pure. */
export function reachedFrom(
  imports: Imports,
  files: readonly string[],
  without: ReadonlySet<string> = new Set(),
): Set<string> {
  const reached = new Set<string>();
  const next = [...files];
  for (let file = next.pop(); file !== undefined; file = next.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    next.push(...(imports.get(file) ?? []).filter((each) => !without.has(each)));
  }
  return reached;
}
