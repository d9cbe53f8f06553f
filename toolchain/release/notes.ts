/** `npx tsx toolchain/release/notes.ts v0.2.0` prints the changes of a version from CHANGELOG.md, for its release. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../root";

/** Returns the section of a version in a changelog. Throws if the tag, the package and the changelog do not agree. */
export function releaseNotes(tag: string, packageVersion: string, changelog: string): string {
  const version = /^v(\d+\.\d+\.\d+)$/.exec(tag)?.[1];
  if (version === undefined) throw new Error(`tag: found ${JSON.stringify(tag)}; expected vX.Y.Z, such as v0.2.0`);
  if (version !== packageVersion) {
    throw new Error(`package.json has version ${packageVersion}; expected ${version}, the version of the tag`);
  }
  const parts = changelog.split(/^## /m);
  const part = parts.find((each) => each.startsWith(`[${version}]`));
  if (part === undefined)
    throw new Error(`CHANGELOG.md has no part "## [${version}]"; move the unreleased changes into one`);
  const [heading = "", ...lines] = part.split("\n");
  if (!/^\[[^\]]+\] - \d{4}-\d{2}-\d{2}$/.test(heading)) {
    throw new Error(`CHANGELOG.md: found "## ${heading}"; expected "## [${version}] - YYYY-MM-DD"`);
  }
  const notes = lines.join("\n").trim();
  if (notes === "") throw new Error(`CHANGELOG.md says nothing of ${version}`);
  return notes;
}

if (require.main === module) {
  const read = (file: string): string => readFileSync(join(projectRoot(), file), "utf8");
  const { version } = JSON.parse(read("package.json")) as { version: string };
  process.stdout.write(`${releaseNotes(process.argv[2] ?? "", version, read("CHANGELOG.md"))}\n`);
}
