import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { Client } from "../../../kubernetes/client/client";
import { connect } from "../../../kubernetes/connect/connect";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { Project } from "../cli/project";
import type { Place } from "../runtime/world";

const run = promisify(execFile);

/** A pod, and whether all of its containers are ready. */
type Pod = KubeObject & { readonly isReady: boolean };

/** A platform whose pods run as processes, as its user and its administrator see it. */
export class Platform {
  readonly folder = mkdtempSync(path.join(tmpdir(), "stackyard-story-"));
  /** Folder of programs that its pods run. */
  readonly programs = path.join(this.folder, "bin");
  /** In the names of its namespaces. */
  readonly tag = randomBytes(3).toString("hex");
  readonly project: Project;
  private readonly client: Client;
  private readonly forwards: (() => void)[] = [];

  constructor(readonly place: Place) {
    mkdirSync(this.programs);
    const env = { ...place.env, XDG_CACHE_HOME: path.join(this.folder, "cache") };
    this.project = new Project({ ...place, env }, "dev-story");
    this.client = connect(readFileSync(place.kubeconfig, "utf8"), undefined, {});
  }

  close(): void {
    for (const stop of this.forwards) stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Changes the config as `pulumi config set --path` does, and deploys it. */
  async change(values: Readonly<Record<string, string>>): Promise<void> {
    for (const [at, value] of Object.entries(values))
      await this.project.must("pulumi", "config", "set", "-s", this.project.stack, "--path", `stackyard:${at}`, value);
    await this.project.must("pulumi", "up", "-s", this.project.stack, "--yes", "--skip-preview");
  }

  async kubectl(namespace: string, ...args: string[]): Promise<string> {
    const all = ["--kubeconfig", this.place.kubeconfig, "--namespace", namespace, ...args];
    return (await run("kubectl", all, { maxBuffer: 1e8 })).stdout.trim();
  }

  async pods(namespace: string, label: string): Promise<readonly Pod[]> {
    const found = await this.client.list({ apiVersion: "v1", kind: "Pod", namespace }, { label });
    return found.map((pod) => {
      const { containerStatuses = [] } = (pod["status"] ?? {}) as { containerStatuses?: { ready: boolean }[] };
      const isReady = containerStatuses.length > 0 && containerStatuses.every(({ ready }) => ready);
      return { ...pod, isReady: isReady && pod.metadata.deletionTimestamp === undefined };
    });
  }

  /** Kills the process of a pod as a crash of its node does, without a grace period. Returns the pod's name. */
  async kill(namespace: string, label: string): Promise<string> {
    const name = (await this.pods(namespace, label))[0]?.metadata.name ?? "";
    await this.kubectl(namespace, "delete", "pod", name, "--grace-period=0", "--force");
    return name;
  }

  /** Runs a command in the pod with a label. */
  async exec(namespace: string, label: string, ...command: string[]): Promise<string> {
    const [pod] = (await this.pods(namespace, label)).filter(({ isReady }) => isReady);
    if (pod === undefined) throw new Error(`no pod of ${namespace} with ${label} is ready`);
    return this.kubectl(namespace, "exec", pod.metadata.name, "--", ...command);
  }

  /** The answer of a Service on a path. */
  async get<T>(namespace: string, service: string, at: string): Promise<T> {
    const url = `/api/v1/namespaces/${namespace}/services/${service}/proxy/${at}`;
    return this.client.json<T>(`ask ${service}`, url);
  }

  /** Address on this machine that leads to a Service, until it is closed. */
  async forward(namespace: string, service: string, port: string): Promise<string> {
    const args = ["-n", namespace, "port-forward", `service/${service}`, `:${port}`];
    const child = spawn("kubectl", ["--kubeconfig", this.place.kubeconfig, ...args], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.forwards.push(() => child.kill());
    for await (const line of createInterface({ input: child.stdout })) {
      const [, local] = /127\.0\.0\.1:(\d+)/.exec(line) ?? [];
      if (local !== undefined) return `http://127.0.0.1:${local}`;
    }
    throw new Error(`kubectl port-forward to ${service} ended`);
  }

  /** Waits until something is so. Fails with the pods of the namespace and with logs. */
  async until(
    what: string,
    isSo: () => Promise<boolean>,
    { namespace, log, seconds = 240 }: { readonly namespace: string; readonly log: string; readonly seconds?: number },
  ): Promise<void> {
    for (const end = Date.now() + seconds * 1000; !(await isSo().catch(() => false)); await sleep(500)) {
      if (Date.now() < end) continue;
      const pods = await this.kubectl(namespace, "get", "pods", "-o", "wide");
      const lines = await this.kubectl(namespace, "logs", log, "--tail=40").catch(String);
      throw new Error(`not within ${seconds} seconds: ${what}\n${pods}\n${lines}`);
    }
  }
}
