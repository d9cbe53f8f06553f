import * as fs from "node:fs";
import * as path from "node:path";

/**
 * Returns the checkout of the running code. Searched upwards from this file, because the code runs from its source in
 * tests, and otherwise from a bundle in node_modules.
 */
export function projectRoot(from: string = __dirname): string {
  for (let folder = from; ; folder = path.dirname(folder)) {
    if (fs.existsSync(path.join(folder, "toolchain", "bootstrap", "main.js"))) return folder;
    if (folder === path.dirname(folder)) {
      throw new Error(
        `${from} is in no checkout of stackyard; expected a folder above it with toolchain/bootstrap/main.js`,
      );
    }
  }
}
