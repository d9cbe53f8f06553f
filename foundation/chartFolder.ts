import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Returns the folder of a chart of this repository. Searches upward from the running code, because bundled code runs
 * from another folder.
 */
export function chartFolder(chart: string, from: string): string {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const found = join(folder, "charts", chart);
    if (existsSync(join(found, "Chart.yaml"))) return found;
  }
  throw new Error(`found no chart charts/${chart} above ${from}; expected this program inside its checkout`);
}
