/** Reads the files of a chart, unpacks its subcharts, and checks them before rendering. */

import { Readable } from "node:stream";
import { at, listAt, textAt } from "../../../kubernetes/objects/objects";
import { unpack } from "../../archive/unpack";
import { Refused, type BundleFault } from "../../errors";
import { LIMITS, mib } from "../../limits";
import { TreeBuilder } from "../../tree/builder";
import type { FileTree } from "../../tree/tree";
import { valueKind, readDocuments } from "../documents";
import { schemaFaults } from "./schemas";
import { isObject } from "../../../foundation/json/isObject";

export const CHART_FILE = "Chart.yaml";

export interface Chart {
  readonly name: string;
  /** By path relative to the chart's folder. */
  readonly files: ReadonlyMap<string, Buffer>;
}

/** Removes the enclosing folder that `helm package` adds. */
export function trimChart(tree: FileTree): FileTree {
  if (tree.files.has(CHART_FILE)) return tree;
  const tops = new Set([...tree.files.keys(), ...tree.emptyFolders].map((path) => path.split("/", 1)[0] ?? ""));
  const [top = ""] = tops;
  if (tops.size !== 1 || !tree.files.has(`${top}/${CHART_FILE}`)) return tree;
  const inner = (path: string): string => path.slice(top.length + 1);
  return {
    files: new Map([...tree.files].map(([path, bytes]) => [inner(path), bytes])),
    emptyFolders: tree.emptyFolders.map(inner),
    others: [],
  };
}

export async function readChart(
  tree: FileTree,
): Promise<{ readonly chart: Chart; readonly faults: readonly BundleFault[] }> {
  if (!tree.files.has(CHART_FILE)) {
    const there = [...new Set([...tree.files.keys()].map((path) => path.split("/", 1)[0]))].slice(0, 12).join(", ");
    const what = `found no such file at the bundle's root but ${there === "" ? "nothing" : there}; expected a chart, with the field directory where it is in a folder`;
    return { chart: { name: "", files: new Map() }, faults: [{ file: CHART_FILE, what }] };
  }
  const faults: BundleFault[] = [];
  const files = await unpacked(tree.files, faults, { bytes: 0, files: 0 });
  const about = metadata(files, CHART_FILE, faults);
  const name = textAt(about, "name") ?? "";
  if (faults.length === 0 && name === "")
    faults.push({ file: CHART_FILE, what: `name: found ${valueKind(at(about, "name"))}; expected the chart's name` });
  if (textAt(about, "type") === "library") {
    const what = "type: found library; expected application, because a library chart has no objects of its own";
    faults.push({ file: CHART_FILE, what });
  }
  faults.push(...missingCharts(files, about), ...schemaFaults(files));
  return { chart: { name, files }, faults };
}

/** Reads a YAML file of the chart itself; an empty object if it is missing. */
function metadata(files: ReadonlyMap<string, Buffer>, file: string, faults: BundleFault[]): object {
  const bytes = files.get(file);
  if (bytes === undefined) return {};
  const { documents, faults: found } = readDocuments(file, bytes);
  faults.push(...found);
  const [first] = documents;
  if (isObject(first?.value)) return first.value;
  if (found.length === 0) faults.push({ file, what: `found ${valueKind(first?.value)}; expected an object` });
  return {};
}

/** Helm itself ignores missing subcharts silently. */
function missingCharts(files: ReadonlyMap<string, Buffer>, about: object): BundleFault[] {
  const ignored: BundleFault[] = [];
  const file = files.has("requirements.yaml") ? "requirements.yaml" : CHART_FILE;
  const wanted = listAt(file === CHART_FILE ? about : metadata(files, file, ignored), "dependencies");
  const there = new Set(
    [...files.keys()]
      .filter((path) => /^charts\/[^/]+\/Chart\.yaml$/.test(path))
      .map((path) => textAt(metadata(files, path, ignored), "name")),
  );
  return wanted.flatMap((one) => {
    const name = textAt(one, "name") ?? "";
    if (there.has(name)) return [];
    const what = `found no chart ${name} in charts/, on which it depends; put it there with "helm dependency build" before the chart becomes a bundle`;
    return [{ file, what }];
  });
}

const PACKED = /(^|\/)charts\/[^/]+\.tgz$/;

/** Unpacks subcharts to folders. The limits apply to all of them together. */
async function unpacked(
  files: ReadonlyMap<string, Buffer>,
  faults: BundleFault[],
  total: { bytes: number; files: number },
): Promise<Map<string, Buffer>> {
  const result = new Map<string, Buffer>();
  for (const [path, bytes] of files) {
    total.bytes += bytes.length;
    if (total.bytes > LIMITS.keptBytes)
      throw new Refused(`the chart and those in it have more than ${mib(LIMITS.keptBytes)}`);
    if (++total.files > LIMITS.keptFiles)
      throw new Refused(`the chart and those in it have more than ${LIMITS.keptFiles} files`);
    if (!PACKED.test(path)) {
      result.set(path, bytes);
      continue;
    }
    const folder = path.slice(0, -".tgz".length);
    for (const [inner, content] of await unpacked(await unpackOne(path, bytes, faults), faults, total)) {
      const name = `${folder}/${inner}`;
      if (files.has(name))
        faults.push({ file: name, what: `found it beside ${path}, which has it too; expected one of them` });
      result.set(name, content);
    }
  }
  return result;
}

async function unpackOne(path: string, bytes: Buffer, faults: BundleFault[]): Promise<ReadonlyMap<string, Buffer>> {
  const builder = new TreeBuilder({ directory: "", keep: undefined, image: false });
  try {
    await unpack(Readable.from([bytes]), builder);
    const tree = trimChart(builder.build());
    if (tree.files.has(CHART_FILE)) return tree.files;
    faults.push({ file: path, what: "found an archive without a chart; expected one as helm package makes it" });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    faults.push({ file: path, what: `${error.message}; expected a chart as helm package makes it` });
  }
  return new Map();
}
