import { join } from "node:path";
import type { ReadEntry } from "tar" with { "resolution-mode": "import" };
import { MIB, mib } from "../../foundation/net/bytes";
import { digestOf } from "../../foundation/digest";
import type { ChartCrds } from "./charts";
import { placeFolder } from "./place";
import type { ChartName } from "./table";
import { CHARTS_FOLDER } from "./wrapper";

const MOST_BYTES = 64 * MIB;

/**
 * Writes the CustomResourceDefinitions in a chart's folder `crds/` to a folder for a bundle. Helm installs them once
 * and never upgrades them, so an operator would run with outdated kinds. Undefined if the chart has none.
 */
export async function placeCrds(name: ChartName, archive: Buffer, project: string): Promise<ChartCrds | undefined> {
  const files = await crdFiles(name, archive);
  if (files.size === 0) return undefined;
  const path = `./${CHARTS_FOLDER}/${name}-crds-${digestOf(archive).slice(7, 19)}`;
  const names = [...files.values()].flatMap(namesIn).sort();
  const manifests = [...files].map(([file, text]): [string, Buffer] => [`manifests/${file}`, Buffer.from(text)]);
  await placeFolder(join(project, path), manifests);
  return { path, names };
}

/** Reads the files of `<chart>/crds/` by name, and skips everything else in the archive. */
async function crdFiles(name: ChartName, archive: Buffer): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  let total = 0;
  const { Parser } = await import("tar");
  // Ignores an invalid archive, because Helm reports it.
  const parser = new Parser();
  parser.on("entry", (entry: ReadEntry) => {
    const [, file] = /^[^/]+\/crds\/([A-Za-z0-9][\w.-]*\.ya?ml)$/.exec(entry.path) ?? [];
    total += entry.size;
    const chunks: Buffer[] = [];
    entry.on("data", (chunk: Buffer) => (file === undefined || total > MOST_BYTES ? undefined : chunks.push(chunk)));
    entry.on("end", () => {
      if (file !== undefined && entry.type === "File") found.set(file, Buffer.concat(chunks).toString("utf8"));
    });
  });
  await new Promise((resolve, reject) => {
    parser.on("end", resolve);
    parser.on("error", reject);
    parser.end(archive);
  });
  if (total > MOST_BYTES) throw new Error(`the chart ${name} unpacks to more than ${mib(MOST_BYTES)}`);
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Names of the CustomResourceDefinitions in a file. Does not parse their large schemas. */
const namesIn = (text: string): string[] =>
  text.split(/^---.*$/m).flatMap((document) => {
    const [, metadata = ""] = /^metadata:\n((?:[ \t]+.*\n|\n)*)/m.exec(document) ?? [];
    const [, name] = /^ {2}name: (\S+)$/m.exec(metadata) ?? [];
    return name === undefined ? [] : [name];
  });
