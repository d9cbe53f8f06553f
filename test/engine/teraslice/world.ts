import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Client } from "../../../kubernetes/client/client";
import { connect } from "../../../kubernetes/connect/connect";
import { TerasliceMaster } from "../../doubles/teraslice/master";
import { Pods } from "../../doubles/teraslice/pods";
import { Project } from "../cli/project";
import { giveAddress } from "../runtime/behindService";
import type { Place } from "../runtime/world";

export type Jobs = Readonly<Record<string, object>>;

/** A platform `here` with a Teraslice master in a namespace of its own; a double answers at the address of its pod. */
export class TerasliceWorld {
  /** Where tests put job files. */
  readonly jobsFolder = mkdtempSync(path.join(tmpdir(), "stackyard-jobs-"));

  private constructor(
    readonly project: Project,
    readonly double: TerasliceMaster,
    readonly client: Client,
    readonly namespace: string,
    private readonly config: Readonly<Record<string, unknown>>,
  ) {}

  static async make(place: Place, address: string): Promise<TerasliceWorld> {
    const namespace = `ts-jobs-${randomBytes(3).toString("hex")}`;
    const client = connect(readFileSync(place.kubeconfig, "utf8"), undefined, {});
    const double = new TerasliceMaster();
    double.pods = new Pods(client, namespace);
    const port = await double.listen(0, address);
    const spec = { namespace: "runtimes", host: "http://*.runtimes.localhost", image: "example/runtime" };
    const config = {
      cluster: { type: "existing", kubeconfig: { path: place.kubeconfig } },
      provisioners: { only: { type: "kubernetes", spec } },
      defaultProvisioner: "only",
      teraslice: {
        image: "example/teraslice:1",
        createNamespace: true,
        settings: { name: "acme", port, kubernetes_namespace: namespace, cpu_execution_controller: 0.1 },
        terafoundation: { connectors: { "elasticsearch-next": { default: { node: ["http://search.svc:9200"] } } } },
      },
    };
    const project = new Project(place);
    await project.platform(config);
    const label = "app.kubernetes.io/component=master";
    const [master] = await client.list({ apiVersion: "v1", kind: "Pod", namespace }, { label });
    await giveAddress(client, namespace, master?.metadata.name ?? "", address);
    return new TerasliceWorld(project, double, client, namespace, config);
  }

  async remove(): Promise<void> {
    await this.project.remove();
    await this.double.stop();
    rmSync(this.jobsFolder, { recursive: true, force: true });
  }

  /** The platform's stack file. */
  get file(): string {
    return path.join(this.project.folder, "Pulumi.here.yaml");
  }

  /** Writes the stack file with these jobs, and the cluster by this kubeconfig. */
  describeJobs(jobs: Jobs, kubeconfig = this.project.place.kubeconfig): void {
    const cluster = { type: "existing", kubeconfig: { path: kubeconfig } };
    this.project.describe({ ...this.config, cluster, teraslice: { ...(this.config["teraslice"] as object), jobs } });
  }

  pulumi(...args: string[]): Promise<string> {
    return this.project.must("pulumi", ...args, "-s", "here", "--non-interactive");
  }

  /** The platform's own jobs at the master, by their names. */
  job(name: string): Readonly<Record<string, unknown>> {
    const found = this.double.jobs().find((job) => job["name"] === name);
    if (!found) throw new Error(`the master has no job ${name}`);
    return found;
  }

  execution(name: string): Readonly<Record<string, unknown>> | undefined {
    return this.double.store.latest(String(this.job(name)["job_id"]));
  }

  /** Workers that a job has in Kubernetes; undefined when it has no Deployment. */
  async workers(name: string): Promise<unknown> {
    const label = `teraslice.terascope.io/jobId=${String(this.job(name)["job_id"])}`;
    const { namespace } = this;
    const [deployment] = await this.client.list({ apiVersion: "apps/v1", kind: "Deployment", namespace }, { label });
    return (deployment?.["spec"] as { replicas?: number } | undefined)?.replicas;
  }
}

/** A job that fits into the yard, as the config has it. */
export const smallJob = (name: string, more: object = {}): { readonly job: object } => ({
  job: {
    name,
    lifecycle: "persistent",
    workers: 1,
    cpu: 0.5,
    memory: 100_000_000,
    operations: [{ _op: "data_generator", size: 10 }, { _op: "noop" }],
    ...more,
  },
});
