import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "../../kubernetes/client/connect";
import type { Connection, Exchange } from "../../kubernetes/client/connection";

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
 * Simulates the KubeRay operator 1.7.0 in one namespace, as described in docs/doubles.md. It looks for the head's
 * Service by labels and creates a missing one; a name conflict causes an event, and the cluster does not become ready.
 * It never writes a spec.
 */
export class RayOperator {
  private running = true;
  private readonly api: Connection;
  private readonly done: Promise<void>;

  /** @param kubeconfig Path of a kubeconfig. */
  constructor(
    kubeconfig: string,
    private readonly namespace: string,
  ) {
    this.api = connect(readFileSync(kubeconfig, "utf8"), undefined, {}).connection;
    this.done = this.work();
  }

  async stop(): Promise<void> {
    this.running = false;
    await this.done;
  }

  private async work(): Promise<void> {
    while (this.running) {
      // The kind does not exist before its chart is installed.
      const items = await this.list<RayClusterObject>(this.clusters()).catch(() => []);
      for (const one of items) {
        // It may be gone by now; the next pass reports errors.
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

  /** Returns what went wrong; undefined if there is exactly one Service. */
  private async reconcileHeadService({ metadata }: RayClusterObject): Promise<string | undefined> {
    const { name, uid } = metadata;
    const labels = { "ray.io/cluster": name, "ray.io/node-type": "head", "ray.io/identifier": `${name}-head` };
    const selector = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
    const services = `/api/v1/namespaces/${this.namespace}/services`;
    const { length: there } = await this.list(`${services}?labelSelector=${encodeURIComponent(selector.join())}`);
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
    const failure = await this.send("POST", services, service).then(
      () => undefined,
      (error: unknown) => (/"[^"]*" already exists/.exec(String(error)) ?? ["it can't be created"])[0],
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
    await this.send("POST", `/api/v1/namespaces/${this.namespace}/events`, event);
  }

  private async patchStatus(name: string, status: object): Promise<void> {
    await this.send("PATCH", `${this.clusters()}/${name}/status`, { status });
  }

  private clusters = (): string => `/apis/ray.io/v1/namespaces/${this.namespace}/rayclusters`;

  private async list<T>(path: string): Promise<readonly T[]> {
    return (JSON.parse(await this.send("GET", path)) as { items: readonly T[] }).items;
  }

  private async send(method: Exchange["method"], path: string, content?: object): Promise<string> {
    const contentType = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    const body = content && JSON.stringify(content);
    const { status, body: answer } = await this.api.send({ method, path, contentType, body, timeoutMs: 10_000 });
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${(JSON.parse(answer) as Error).message}`);
    return answer;
  }
}
