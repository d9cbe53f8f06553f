import type { StackFile } from "../../engine/stack/file";

const KEY = "stackyard:jupyterhub";

interface Hub {
  readonly enabled?: boolean;
  readonly ray?: boolean;
  readonly rayCluster?: string;
}

/**
 * Pins the cluster that notebooks currently use before a second one is added: without a pin they use the first one by
 * name, which may be the new one. Returns its name if it was pinned.
 */
export function nameNotebooksCluster(file: StackFile, running: readonly string[], added: string): string | undefined {
  const hub = file.config(KEY) as Hub | undefined;
  const [first] = running.filter((name) => name !== added).sort();
  if (hub === undefined || hub.enabled === false || hub.ray === false || hub.rayCluster !== undefined) return undefined;
  if (first === undefined || running.includes(added)) return undefined;
  file.setConfig(KEY, { ...hub, rayCluster: first });
  return first;
}
