import * as path from "node:path";
import type { Workspace } from "../../../foundation/pulumi/backend";
import { reportRepair } from "./damage.js";

/** Whether an error of the CLI may come from a damaged state file. */
const DAMAGE =
  /failed to load checkpoint|corrupt store|could not deserialize|unmarshall?ing|unexpected end of JSON|invalid character|\bEOF\b/;

/**
 * Checks the state backend for damaged files after a command failed with `said`, and repairs them. Returns what was
 * repaired; the command is then worth a retry. Only folders can be damaged: other backends write atomically.
 */
export async function repairAfter(said: string, { folder, backend }: Workspace): Promise<string[]> {
  if (!DAMAGE.test(said) || !backend?.startsWith("file://")) return [];
  const [{ folderOfUrl }, { repairFolder }] = await Promise.all([
    import("../../backend/fileUrl.js"),
    import("./damage.js"),
  ]);
  const { repaired, beyond } = await repairFolder(path.join(folderOfUrl(backend, folder), ".pulumi"));
  beyond.forEach(reportRepair);
  return [...repaired];
}
