import { spawn, type ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { portToBind } from "../../../toolchain/yard/ports";

/** Something with metrics, with the labels that the Prometheus operator would give its series. */
export interface Source {
  /** Without `http://`. */
  readonly address: string;
  /** Default: `/metrics`. */
  readonly path?: string;
  readonly labels?: Readonly<Record<string, string>>;
  stop(): Promise<unknown>;
}

interface Answer<T> {
  readonly status: string;
  readonly data: T;
  readonly error?: string;
}

/** Ends a process that a test started. */
export async function endProcess(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
}

/** The server of Prometheus, which reads sources every second. */
export class Prometheus {
  private said = "";
  private child: ChildProcess | undefined;
  private url = "";

  async start(program: string, folder: string, sources: ReadonlyMap<string, Source>): Promise<this> {
    const jobs = [...sources].map(([name, { address, path: at = "/metrics", labels = {} }]) => ({
      job_name: name,
      metrics_path: at,
      static_configs: [{ targets: [address], labels }],
    }));
    const config = { global: { scrape_interval: "1s" }, scrape_configs: jobs };
    const file = path.join(folder, "prometheus.json");
    writeFileSync(file, JSON.stringify(config));
    const address = `127.0.0.1:${await portToBind()}`;
    this.url = `http://${address}/api/v1`;
    const flags = {
      "config.file": file,
      "storage.tsdb.path": path.join(folder, "data"),
      "web.listen-address": address,
    };
    const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
    this.child = spawn(program, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on("data", (text: Buffer) => (this.said += text.toString()));
    while (!(await fetch(`http://${address}/-/ready`).catch(() => undefined))?.ok) {
      if (this.child.exitCode !== null) throw new Error(`Prometheus has ended:\n${this.said}`);
      await sleep(100);
    }
    return this;
  }

  private async get<T>(resource: string, parameters: Readonly<Record<string, string>>): Promise<T> {
    const answer = await fetch(`${this.url}/${resource}?${new URLSearchParams(parameters).toString()}`);
    const { data, error } = (await answer.json()) as Answer<T>;
    if (error !== undefined) throw new Error(`${JSON.stringify(parameters)}: ${error}`);
    return data;
  }

  /** How many series a query has now. */
  async count(query: string): Promise<number> {
    const { result } = await this.get<{ result: readonly { value: readonly [number, string] }[] }>("query", { query });
    // A quantile of nothing is not a number.
    return result.filter(({ value: [, text] }) => text !== "NaN").length;
  }

  /** Names of the metrics of a source, also of those without a series yet; without those of its language. */
  async metricsOf(job: string): Promise<string[]> {
    const own = JSON.stringify(job);
    const [series, described] = await Promise.all([
      this.get<string[]>("label/__name__/values", { "match[]": `{job=${own}}` }),
      this.get<{ metric: string }[]>("targets/metadata", { match_target: `{job=${own}}` }),
    ]);
    const names = new Set([...series, ...described.map(({ metric }) => metric)]);
    return [...names].filter((name) => !/^(up$|scrape_|go_|process_|nodejs_|python_|promhttp_)/.test(name)).sort();
  }

  stop = (): Promise<void> => endProcess(this.child);
}
