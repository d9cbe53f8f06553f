import { cpSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "../../../toolchain/root";
import type { TerasliceStack } from "../../../toolchain/yard/processNode/teraslice";
import type { Platform } from "./platform";
import { now, samples } from "./recorder";

const EXAMPLES = path.join(projectRoot(), "examples", "teraslice");
const KEYS = { id: "teraslice", key: "not-a-real-secret" } as const;
const WATCH_MS = 2000;

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

/** Teraslice with a search engine for its state and records, and an S3 server for its assets. */
export class Teraslice {
  readonly namespace: string;
  readonly searchNamespace: string;
  readonly storeNamespace: string;
  private watching: NodeJS.Timeout | undefined;

  constructor(
    readonly platform: Platform,
    private readonly parts: TerasliceStack,
    readonly size: Size,
  ) {
    const { tag } = platform;
    this.namespace = `teraslice-${tag}`;
    this.searchNamespace = `search-${tag}`;
    this.storeNamespace = `store-${tag}`;
  }

  /** The namespaces with the Secret of the S3 server, as an administrator makes them. */
  async prepare(): Promise<void> {
    const literals = Object.entries(KEYS).map(([key, value]) => `--from-literal=${key}=${value}`);
    for (const namespace of [this.namespace, this.storeNamespace]) {
      await this.platform.kubectl("default", "create", "namespace", namespace);
      await this.platform.kubectl(namespace, "create", "secret", "generic", "store", ...literals);
    }
  }

  close(): void {
    clearInterval(this.watching);
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

  /** Keys of the platform's config. */
  config(): Readonly<Record<string, unknown>> {
    const bundle = (name: string) => ({
      versions: { "1.0.0": { sources: [{ type: "local", path: path.join(EXAMPLES, name) }] } },
    });
    return {
      bundles: { search: bundle("search"), store: bundle("store") },
      instances: {
        search: { bundle: "search", namespace: this.searchNamespace, createNamespace: true },
        store: { bundle: "store", namespace: this.storeNamespace },
      },
      teraslice: {
        image: this.image(this.versions[0]),
        settings: {
          name: "story",
          kubernetes_namespace: this.namespace,
          shutdown_timeout: 30_000,
          asset_storage_connection_type: "s3",
          asset_storage_connection: "store",
        },
        terafoundation: {
          connectors: {
            "elasticsearch-next": { default: { node: [`http://opensearch.${this.searchNamespace}.svc:9200`] } },
            s3: {
              store: {
                endpoint: `http://store.${this.storeNamespace}.svc:7070`,
                accessKeyId: { secret: "store", key: "id" },
                secretAccessKey: { secret: "store", key: "key" },
                sslEnabled: false,
                forcePathStyle: true,
              },
            },
          },
        },
      },
    };
  }

  /** Notes the number of records from now on. */
  watch(index: string): void {
    this.watching ??= setInterval(() => {
      const note = (records: number) => samples.push({ at: now(), share: records / this.size.records });
      // There may be no search engine yet, or no more.
      void this.count(index).then(note, () => undefined);
    }, WATCH_MS);
  }

  /** A command of `stackyard teraslice` that must succeed. */
  async run(...args: string[]): Promise<string> {
    const { project } = this.platform;
    const { code, stdout, stderr } = await project.stackyard("teraslice", ...args, "--stack", project.stack);
    if (code !== 0) throw new Error(`stackyard teraslice ${args.join(" ")}: ${code}\n${stdout}${stderr}`);
    return stdout + stderr;
  }

  /** The example's asset under a name, with the packages of Teraslice. */
  assetFolder(name = "records"): string {
    const folder = path.join(this.platform.folder, name);
    cpSync(path.join(EXAMPLES, "records"), folder, { recursive: true });
    const manifest = path.join(folder, "asset.json");
    writeFileSync(manifest, readFileSync(manifest, "utf8").replace('"records"', JSON.stringify(name)));
    symlinkSync(this.parts.modules, path.join(folder, "node_modules"));
    return folder;
  }

  /** The same as `earl` expects it, with a job for good that uses it. */
  async earlFolder(name: string): Promise<string> {
    const asset = this.assetFolder(name);
    const folder = path.join(this.platform.folder, `${name}-project`);
    mkdirSync(folder);
    renameSync(asset, path.join(folder, "asset"));
    for (const place of [folder, path.join(folder, "asset")])
      writeFileSync(path.join(place, "package.json"), JSON.stringify({ name, version: "1.0.0", type: "module" }));
    renameSync(path.join(folder, "asset", "node_modules"), path.join(folder, "node_modules"));
    const output = await this.platform.project.must(
      "pulumi",
      "stack",
      "output",
      "teraslice",
      "-s",
      this.platform.project.stack,
      "--json",
    );
    const { podSpecOverride } = JSON.parse(output) as { podSpecOverride: object };
    const job = { assets: [name], lifecycle: "persistent", pod_spec_override: podSpecOverride };
    renameSync(this.jobFile(name, job), path.join(folder, "job.json"));
    return folder;
  }

  jobFile(name: string, more: object = {}): string {
    const { records, slice, delayMs } = this.size;
    const file = path.join(this.platform.folder, `${name}.json`);
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

  private search<T>(request: string): Promise<T> {
    return this.platform.get<T>(this.searchNamespace, "opensearch:9200", request);
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

  /** Digests of the assets in the S3 server, by their path on its disk. */
  async assets(): Promise<readonly string[]> {
    const list = "cd /data && find . -name '*.zip' -type f | sort | xargs -r sha256sum";
    const found = await this.platform.exec(this.storeNamespace, "app=store", "sh", "-c", list);
    return found.split("\n").filter((line) => line !== "");
  }

  /** Names of objects of jobs that are still in the cluster. */
  async leftOfJobs(): Promise<string[]> {
    const kinds = "jobs,deployments,replicasets,services,pods";
    const label = "teraslice.terascope.io/jobId";
    const found = await this.platform.kubectl(this.namespace, "get", kinds, "-l", label, "-o", "name");
    return found.split("\n").filter((name) => name !== "");
  }

  /** Pods that are ready. */
  async ready(component: string): ReturnType<Platform["pods"]> {
    const pods = await this.platform.pods(this.namespace, `app.kubernetes.io/component=${component}`);
    return pods.filter(({ isReady }) => isReady);
  }

  kill(component: string): Promise<string> {
    return this.platform.kill(this.namespace, `app.kubernetes.io/component=${component}`);
  }

  until(what: string, isSo: () => Promise<boolean>, seconds?: number): Promise<void> {
    const { namespace } = this;
    return this.platform.until(what, isSo, { namespace, log: "deployment/story-master", ...(seconds && { seconds }) });
  }
}
