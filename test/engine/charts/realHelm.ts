import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { readDocuments } from "../../../bundles/format/documents";
import { RUN_ANNOTATION } from "../../../bundles/format/helm/hooks";
import type { BundleObject, Path } from "../../../bundles/format/format";
import { HELM } from "../../../bundles/format/helm/helm";
import { NEWEST_KUBERNETES } from "../../../bundles/format/newest";
import { makeTree } from "../../../bundles/tree/tree";
import { canonicalJson } from "../../../foundation/json/canonicalJson";
import { isObject, type Json } from "../../../foundation/json/isObject";
import { projectRoot } from "../../../toolchain/root";
import { ensureTools } from "../../../toolchain/tools/ensure";
import { helm } from "../../tools/helm";

const run = promisify(execFile);
const [NAME, NAMESPACE] = ["shop", "market"];

/** What our releases do not have: see docs/helm-bundles.md. */
const SKIPPED = /^((pre|post)-(delete|rollback)|test(-success|-failure)?)$/;

/** The program `helm`, and what our own rendering of a chart gives beside it. */
export class RealHelm {
  private constructor(
    private readonly program: string,
    private readonly folder: string,
  ) {}

  static async create(): Promise<RealHelm> {
    const { programs } = await ensureTools(projectRoot(), [helm]);
    return new RealHelm(programs["helm"] ?? "", mkdtempSync(path.join(tmpdir(), "stackyard-helm-")));
  }

  remove = (): void => rmSync(this.folder, { recursive: true, force: true });

  /** What `helm lint --strict` says against a chart with these values. */
  async lint(chart: string, values: object): Promise<string> {
    return this.#helm("lint", "--strict", chart, "--values", this.#file(values)).then(
      () => "",
      (error: { stdout?: string; stderr?: string }) => `${error.stdout}${error.stderr}`,
    );
  }

  /** Objects that `helm template` prints, without hooks for moments that our releases do not have. */
  async template(chart: string, values: object): Promise<Json[]> {
    const more = ["--include-crds", "--kube-version", NEWEST_KUBERNETES, "--namespace", NAMESPACE];
    const text = await this.#helm("template", NAME, chart, "--values", this.#file(values), ...more);
    const { documents, faults } = readDocuments("helm", Buffer.from(text));
    if (faults.length > 0) throw new Error(JSON.stringify(faults));
    const objects = documents.map(({ value }) => value).filter((value) => isObject(value));
    return objects.filter((object) => !isSkipped(object));
  }

  async #helm(...args: string[]): Promise<string> {
    // No settings or plugins of this machine take part.
    const env = { PATH: process.env["PATH"], HOME: this.folder, HELM_NO_PLUGINS: "1" };
    return (await run(this.program, args, { env, maxBuffer: 1e8 })).stdout;
  }

  #file(values: object): string {
    const file = path.join(this.folder, "values.json");
    writeFileSync(file, JSON.stringify(values));
    return file;
  }
}

/** Objects that a release of the chart would consist of. */
export async function ours(chart: string, values: object): Promise<readonly BundleObject[]> {
  const names = readdirSync(chart, { recursive: true, encoding: "utf8", withFileTypes: true });
  const files = names
    .filter((one) => one.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .map((file): [string, Buffer] => [path.relative(chart, file), readFileSync(file)]);
  const purpose = { name: NAME, namespace: NAMESPACE, values: values as Json, cluster: undefined };
  const { signal } = new AbortController();
  return HELM.read(makeTree(files, [], []), { ...purpose, signal });
}

const isSkipped = (object: Json): boolean => {
  const hook = annotationsOf(object)["helm.sh/hook"];
  return typeof hook === "string" && hook.split(",").every((event) => SKIPPED.test(event.trim()));
};

function annotationsOf(object: Json): Json {
  const metadata = object["metadata"];
  const annotations = isObject(metadata) ? metadata["annotations"] : undefined;
  return isObject(annotations) ? annotations : {};
}

/**
 * One text for one object: without empty maps of metadata, the release's own namespace, what a hook is run again by, and what
 * the chart makes up each time.
 */
export function comparable(object: Json, { madeUp = [] }: Pick<BundleObject, "madeUp"> = {}): string {
  const copy = structuredClone(object);
  tidy(copy);
  const spec = copy["spec"];
  if (isObject(spec)) tidy(spec["template"]);
  for (const at of madeUp) blank(copy, at);
  return canonicalJson(copy);
}

function tidy(value: unknown): void {
  const metadata = isObject(value) ? value["metadata"] : undefined;
  if (!isObject(value) || !isObject(metadata)) return;
  const annotations = annotationsOf(value);
  delete annotations[RUN_ANNOTATION];
  if ("helm.sh/hook" in annotations) delete annotations["stackyard.dev/replace"];
  if (metadata["namespace"] === NAMESPACE) delete metadata["namespace"];
  for (const key of ["annotations", "labels"]) {
    const map = metadata[key];
    if (map === null || (isObject(map) && Object.keys(map).length === 0)) delete metadata[key];
  }
  if (Object.keys(metadata).length === 0) delete value["metadata"];
}

function blank(object: Json, at: Path): void {
  const holder = at.slice(0, -1).reduce<unknown>((value, key) => (value as Json | undefined)?.[key], object);
  if (typeof holder === "object" && holder !== null) (holder as Json)[at.at(-1) ?? ""] = "made up";
}
