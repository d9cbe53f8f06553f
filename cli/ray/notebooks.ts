import type { StackFile } from "../../engine/stack/file";

const KEY = "stackyard:jupyterhub";

interface Hub {
  readonly enabled?: boolean;
  readonly ray?: boolean;
  readonly rayCluster?: string;
}

/**
 * Names the cluster that notebooks reach now, before another one runs beside it: without a name it is the first, and that may
 * be the new one. Answers its name where it did.
 */
export function nameNotebooksCluster(file: StackFile, running: readonly string[], added: string): string | undefined {
  const hub = file.config(KEY) as Hub | undefined;
  const [first] = running.filter((name) => name !== added).sort();
  if (hub === undefined || hub.enabled === false || hub.ray === false || hub.rayCluster !== undefined) return undefined;
  if (first === undefined || running.includes(added)) return undefined;
  file.setConfig(KEY, { ...hub, rayCluster: first });
  return first;
}
