import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { Client } from "../../../kubernetes/client/client";
import { connect } from "../../../kubernetes/connect/connect";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { projectRoot } from "../../../toolchain/root";
import { ensureTools } from "../../../toolchain/tools/ensure";
import { yardNode } from "../../../toolchain/tools/yardNode";
import { startProcessNode, stopProcessNode } from "../../../toolchain/yard/processNode/node";
import type { TerasliceStack } from "../../../toolchain/yard/processNode/teraslice";
import { Project } from "../cli/project";
import type { Place } from "../runtime/world";
import { now, samples } from "./recorder";

const run = promisify(execFile);
const EXAMPLES = path.join(projectRoot(), "examples", "teraslice");

/** How much is done. */
export interface Size {
  readonly records: number;
  /** Records of a slice. */
  readonly slice: number;
  /** Of each slice, so that there is time to kill something. */
  readonly delayMs: number;
}

interface Totals {
  readonly aggregations: Readonly<Record<"sum" | "greatest", { readonly value: number }>>;
}

const WATCH_MS = 2000;

/** A platform `here` whose Teraslice and search engine run as processes. */
export class Story {
  private readonly folder = mkdtempSync(path.join(tmpdir(), "stackyard-story-"));
  private watching: NodeJS.Timeout | undefined;
  private readonly suffix = randomBytes(3).toString("hex");
  readonly project: Project;
  readonly client: Client;
  readonly namespace = `teraslice-${this.suffix}`;
  readonly searchNamespace = `search-${this.suffix}`;

  private constructor(
    readonly place: Place,
    private readonly parts: TerasliceStack,
    readonly size: Size,
    private readonly yard: string,
  ) {
    this.project = new Project(place);
    this.client = connect(readFileSync(place.kubeconfig, "utf8"), undefined, {});
  }

  static async open(place: Place, yard: string, parts: TerasliceStack, size: Size): Promise<Story> {
    const { programs } = await ensureTools(projectRoot(), [yardNode]);
    await startProcessNode(yard, programs["yard-node"] ?? "", parts.images);
    return new Story(place, parts, size, yard);
  }

  /** Notes the number of records from now on. */
  watch(index: string): void {
    this.watching ??= setInterval(() => {
      const note = (records: number) => samples.push({ at: now(), share: records / this.size.records });
      // There may be no search engine yet, or no more.
      void this.count(index).then(note, () => undefined);
    }, WATCH_MS);
  }

  async close(): Promise<void> {
    clearInterval(this.watching);
    rmSync(this.folder, { recursive: true, force: true });
    await stopProcessNode(this.yard);
  }

  get versions(): TerasliceStack["versions"] {
    return this.parts.versions;
  }

  /** Program of `earl`. */
  get earl(): string {
    return path.join(this.parts.newest, "packages", "teraslice-cli", "bin", "teraslice-cli.js");
  }

  image(version: string): string {
    return `ghcr.io/terascope/teraslice:v${version}-nodev24.18.0`;
  }

  config(version: string): Readonly<Record<string, unknown>> {
    const spec = { namespace: "runtimes", host: "http://*.runtimes.localhost", image: "example/runtime" };
    const search = path.join(EXAMPLES, "search");
    return {
      cluster: { type: "existing", kubeconfig: { path: this.place.kubeconfig } },
      provisioners: { only: { type: "kubernetes", spec } },
      defaultProvisioner: "only",
      bundles: { search: { versions: { "1.0.0": { sources: [{ type: "local", path: search }] } } } },
      instances: { search: { bundle: "search", namespace: this.searchNamespace, createNamespace: true } },
      teraslice: {
        image: this.image(version),
        createNamespace: true,
        settings: { name: "story", kubernetes_namespace: this.namespace, shutdown_timeout: 30_000 },
        terafoundation: {
          connectors: {
            "elasticsearch-next": { default: { node: [`http://opensearch.${this.searchNamespace}.svc:9200`] } },
          },
        },
      },
    };
  }

  /** A command of `stackyard teraslice` that must succeed. */
  async teraslice(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.project.stackyard("teraslice", ...args, "--stack", "here");
    if (code !== 0) throw new Error(`stackyard teraslice ${args.join(" ")}: ${code}\n${stdout}${stderr}`);
    return stdout + stderr;
  }

  async kubectl(...args: string[]): Promise<string> {
    const all = ["--kubeconfig", this.place.kubeconfig, "--namespace", this.namespace, ...args];
    return (await run("kubectl", all, { maxBuffer: 1e8 })).stdout;
  }

  /** The example's asset under a name, with the packages of Teraslice. */
  assetFolder(name = "records"): string {
    const folder = path.join(this.folder, name);
    cpSync(path.join(EXAMPLES, "records"), folder, { recursive: true });
    const manifest = path.join(folder, "asset.json");
    writeFileSync(manifest, readFileSync(manifest, "utf8").replace('"records"', JSON.stringify(name)));
    symlinkSync(this.parts.modules, path.join(folder, "node_modules"));
    return folder;
  }

  /** The same as `earl` expects it, with a job for good that uses it. */
  earlFolder(name: string): string {
    const asset = this.assetFolder(name);
    const folder = path.join(this.folder, `${name}-project`);
    mkdirSync(folder);
    renameSync(asset, path.join(folder, "asset"));
    for (const place of [folder, path.join(folder, "asset")])
      writeFileSync(path.join(place, "package.json"), JSON.stringify({ name, version: "1.0.0", type: "module" }));
    renameSync(path.join(folder, "asset", "node_modules"), path.join(folder, "node_modules"));
    renameSync(this.jobFile(name, { assets: [name], lifecycle: "persistent" }), path.join(folder, "job.json"));
    return folder;
  }

  jobFile(name: string, more: object = {}): string {
    const { records, slice, delayMs } = this.size;
    const file = path.join(this.folder, `${name}.json`);
    const job = {
      name,
      lifecycle: "once",
      workers: 1,
      cpu: 0.5,
      memory: 512 * 2 ** 20,
      assets: ["records"],
      operations: [
        { _op: "generate", records, size: slice },
        { _op: "square" },
        { _op: "delay", ms: delayMs },
        { _op: "store", index: name },
      ],
      ...more,
    };
    writeFileSync(file, JSON.stringify(job));
    return file;
  }

  /** Asks the search engine. */
  async search<T>(request: string): Promise<T> {
    const at = `/api/v1/namespaces/${this.searchNamespace}/services/opensearch:9200/proxy/${request}`;
    return this.client.json<T>("ask the search engine", at);
  }

  /** Records in an index; 0 if there is none. */
  async count(index: string): Promise<number> {
    return (await this.search<{ count: number }>(`${index}/_count?ignore_unavailable=true`)).count;
  }

  /** The sum of the numbers in an index, and the greatest square. */
  async totals(index: string): Promise<{ readonly sum: number; readonly greatest: number }> {
    const aggs = { sum: { sum: { field: "number" } }, greatest: { max: { field: "square" } } };
    const source = encodeURIComponent(JSON.stringify({ size: 0, aggs }));
    const found = await this.search<Totals>(`${index}/_search?source_content_type=application/json&source=${source}`);
    return { sum: found.aggregations.sum.value, greatest: found.aggregations.greatest.value };
  }

  /** Names of objects of jobs that are still in the cluster. */
  async leftOfJobs(): Promise<string[]> {
    const kinds = "jobs,deployments,replicasets,services,pods";
    const found = await this.kubectl("get", kinds, "-l", "teraslice.terascope.io/jobId", "-o", "name");
    return found.split("\n").filter((name) => name !== "");
  }

  async pods(component: string): Promise<readonly (KubeObject & { isReady: boolean })[]> {
    const { namespace } = this;
    const label = `app.kubernetes.io/component=${component}`;
    const found = await this.client.list({ apiVersion: "v1", kind: "Pod", namespace }, { label });
    return found.map((pod) => {
      const { containerStatuses = [] } = (pod["status"] ?? {}) as { containerStatuses?: { ready: boolean }[] };
      const isReady = containerStatuses.length > 0 && containerStatuses.every(({ ready }) => ready);
      return { ...pod, isReady: isReady && pod.metadata.deletionTimestamp === undefined };
    });
  }

  /** Kills the process of a pod as a crash of its node does, without a grace period. */
  async kill(component: string): Promise<string> {
    const name = (await this.pods(component))[0]?.metadata.name ?? "";
    await this.kubectl("delete", "pod", name, "--grace-period=0", "--force");
    return name;
  }

  async until(what: string, isSo: () => Promise<boolean>, seconds = 240): Promise<void> {
    for (const end = Date.now() + seconds * 1000; !(await isSo().catch(() => false)); await sleep(500)) {
      if (Date.now() < end) continue;
      const pods = await this.kubectl("get", "pods", "-o", "wide");
      const log = await this.kubectl("logs", "deployment/story-master", "--tail=20").catch(String);
      throw new Error(`not within ${seconds} seconds: ${what}\n${pods}\n${log}`);
    }
  }
}
