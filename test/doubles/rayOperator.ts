import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Runs kubectl and answers what it printed. */
export type Kubectl = (...args: string[]) => Promise<string>;

interface RayClusterObject {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly generation: number;
    readonly deletionTimestamp?: string;
  };
  readonly spec: { readonly workerGroupSpecs?: readonly Group[] };
  readonly status?: { readonly observedGeneration?: number; readonly state?: string };
}
interface Group {
  readonly replicas: number;
  readonly minReplicas: number;
  readonly maxReplicas: number;
}

/**
 * Stands in for the KubeRay operator 1.7.0 in one namespace, as docs/doubles.md says. It looks for the head's Service by
 * labels and makes one where it finds none; a name that is taken is an event and no ready cluster. It never writes a spec.
 */
export class RayOperator {
  private running = true;
  private readonly folder = mkdtempSync(path.join(tmpdir(), "ray-operator-"));
  private readonly done: Promise<void>;

  constructor(
    private readonly kubectl: Kubectl,
    private readonly namespace: string,
  ) {
    this.done = this.work();
  }

  async stop(): Promise<void> {
    this.running = false;
    await this.done;
    rmSync(this.folder, { recursive: true });
  }

  private async work(): Promise<void> {
    while (this.running) {
      // Before its chart is there, the kind is not known.
      const text = await this.kubectl("get", "rayclusters", "-n", this.namespace, "-o", "json").catch(() => "");
      const { items } = (text === "" ? { items: [] } : JSON.parse(text)) as { items: RayClusterObject[] };
      for (const one of items) {
        // It may be gone by now; the next look tells.
        if (one.metadata.deletionTimestamp === undefined) await this.reconcile(one).catch(() => undefined);
      }
      await sleep(200);
    }
  }

  private async reconcile(cluster: RayClusterObject): Promise<void> {
    const { metadata, status } = cluster;
    const failure = await this.reconcileHeadService(cluster);
    if (failure === undefined && status?.observedGeneration === metadata.generation && status.state === "ready") return;
    const condition = (type: string, reason: string) => ({
      type,
      status: failure === undefined ? "True" : "False",
      reason: failure === undefined ? "Ready" : reason,
      message: "",
      lastTransitionTime: new Date().toISOString(),
    });
    const groups = cluster.spec.workerGroupSpecs ?? [];
    const desired = groups.map(({ replicas, minReplicas, maxReplicas }) =>
      Math.min(Math.max(replicas, minReplicas), maxReplicas),
    );
    await this.patchStatus(metadata.name, {
      observedGeneration: metadata.generation,
      desiredWorkerReplicas: desired.reduce((sum, each) => sum + each, 0),
      state: failure === undefined ? "ready" : "",
      conditions: [
        condition("HeadPodReady", "HeadPodNotFound"),
        condition("RayClusterProvisioned", "RayClusterPodsProvisioning"),
      ],
    });
  }

  /** What went wrong; undefined where there is exactly one. */
  private async reconcileHeadService({ metadata }: RayClusterObject): Promise<string | undefined> {
    const { name, uid } = metadata;
    const labels = { "ray.io/cluster": name, "ray.io/node-type": "head", "ray.io/identifier": `${name}-head` };
    const selector = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
    const found = await this.kubectl("get", "services", "-n", this.namespace, "-l", selector.join(), "-o", "name");
    const there = found.split("\n").filter(Boolean).length;
    if (there > 0) return there === 1 ? undefined : `${there} head services found`;
    const owner = { apiVersion: "ray.io/v1", kind: "RayCluster", name, uid };
    const service = {
      apiVersion: "v1",
      kind: "Service",
      metadata: {
        name: `${name}-head-svc`,
        namespace: this.namespace,
        labels,
        ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
      },
      spec: { clusterIP: "None", selector: labels, ports: [{ name: "gcs", port: 6379, appProtocol: "tcp" }] },
    };
    const failure = await this.create(service).then(
      () => undefined,
      (error: unknown) => (/"[^"]*" already exists/.exec(String(error)) ?? ["it can't be made"])[0],
    );
    if (failure !== undefined)
      await this.warn(owner, `Failed creating service ${this.namespace}/${name}-head-svc, ${failure}`);
    return failure;
  }

  private async warn(involved: object, message: string): Promise<void> {
    const event = {
      apiVersion: "v1",
      kind: "Event",
      metadata: { generateName: "ray-operator-", namespace: this.namespace },
      involvedObject: { ...involved, namespace: this.namespace },
      type: "Warning",
      reason: "FailedToCreateService",
      message,
      lastTimestamp: new Date().toISOString(),
      source: { component: "raycluster-controller" },
    };
    await this.create(event);
  }

  private async create(object: object): Promise<void> {
    const file = path.join(this.folder, "object.json");
    writeFileSync(file, JSON.stringify(object));
    await this.kubectl("create", "-f", file);
  }

  private async patchStatus(name: string, status: object): Promise<void> {
    const patch = ["patch", "raycluster", name, "-n", this.namespace, "--subresource=status", "--type=merge", "-p"];
    await this.kubectl(...patch, JSON.stringify({ status }));
  }
}
