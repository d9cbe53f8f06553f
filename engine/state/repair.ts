import * as path from "node:path";
import { reportRepair } from "./damage.js";

/** Whether a failure of the CLI may come from a damaged file of the state. */
const DAMAGE =
  /failed to load checkpoint|could not deserialize|unmarshall?ing|unexpected end of JSON|invalid character|\bEOF\b/;

/**
 * Looks for damaged files of the state backend after a command failed with `said`, and repairs them. Returns what was
 * repaired; then the command is worth another try. Only a folder can be damaged: other backends write as a whole.
 */
export async function repairAfter(
  said: string,
  folder: string,
  backend = process.env.PULUMI_BACKEND_URL,
): Promise<string[]> {
  if (!DAMAGE.test(said) || !backend?.startsWith("file://")) return [];
  const [{ folderOfUrl }, { repairFolder }] = await Promise.all([import("./fileStore.js"), import("./damage.js")]);
  const { repaired, beyond } = await repairFolder(path.join(folderOfUrl(backend, folder), ".pulumi"));
  beyond.forEach(reportRepair);
  return [...repaired];
}
