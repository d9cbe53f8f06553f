import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "../../../kubernetes/connect/connect";
import type { ServerConnection, Exchange } from "../../../kubernetes/client/connection";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { desiredOf, ownerOf, statusOf, typeOf, type RayClusterObject, type Template } from "./status";

type Pod = KubeObject;

/** On each pod: of which spec it was made. */
const HASH = "ray.io/upgrade-strategy-recreate-hash";

/**
 * Stands in for the KubeRay operator 1.7.0 in one namespace, as its README says. It looks for the head's Service by
 * labels and makes one where it finds none; a name that is taken is an event and no ready cluster. It never writes a spec, and no
 * status in which nothing but the generation is new.
 */
export class RayOperator {
  private running = true;
  private readonly api: ServerConnection;
  private readonly done: Promise<void>;
  /** Versions that were refused: it looks at none a second time. */
  private readonly refused = new Set<string>();

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
      // Before its chart is there, the kind is not known.
      const items = await this.list<RayClusterObject>(this.clusters()).catch(() => []);
      for (const one of items) {
        // It may be gone by now; the next look reports.
        if (one.metadata.deletionTimestamp === undefined) await this.reconcile(one).catch(() => undefined);
      }
      await sleep(200);
    }
  }

  private async reconcile(cluster: RayClusterObject): Promise<void> {
    const { metadata, spec } = cluster;
    if (this.refused.has(metadata.resourceVersion)) return;
    const variables = spec.headGroupSpec.template.spec?.containers[0]?.env ?? [];
    if (variables.some(({ name }) => name === "REDIS_USERNAME")) {
      this.refused.add(metadata.resourceVersion);
      const why = "cannot set redis username in rayStartParams or environment variables";
      const message = `The RayCluster spec is invalid ${this.namespace}/${metadata.name}: ${why}`;
      return this.warn(
        { ...ownerOf(cluster), resourceVersion: metadata.resourceVersion },
        "InvalidRayClusterSpec",
        message,
      );
    }
    // As from its cache: what it does now shows the next time.
    const pods = await this.podsOf(metadata.name);
    const failed = (await this.reconcileHeadService(cluster)) !== undefined;
    if (!failed) await this.reconcilePods(cluster, pods);
    await this.report(cluster, pods, failed);
  }

  private async podsOf(cluster: string): Promise<readonly Pod[]> {
    const selector = encodeURIComponent(`ray.io/cluster=${cluster}`);
    return this.list<Pod>(`/api/v1/namespaces/${this.namespace}/pods?labelSelector=${selector}`);
  }

  /** With another spec all pods go, and are made when they are gone. */
  private async reconcilePods(cluster: RayClusterObject, pods: readonly Pod[]): Promise<void> {
    const { headGroupSpec, workerGroupSpecs = [] } = cluster.spec;
    const sizeless = workerGroupSpecs.map((group) => ({ ...group, replicas: 0, minReplicas: 0, maxReplicas: 0 }));
    const hash = createHash("sha1")
      .update(JSON.stringify({ ...cluster.spec, workerGroupSpecs: sizeless }))
      .digest("hex");
    const head = pods.find((pod) => typeOf(pod) === "head");
    if (head && head.metadata.annotations?.[HASH] !== hash) return this.removePods(pods);
    if (!head) await this.makePod(cluster, "head", "headgroup", headGroupSpec.template, hash);
    for (const group of workerGroupSpecs) {
      const own = pods.filter(({ metadata }) => metadata.labels?.["ray.io/group"] === group.groupName);
      const wanted = desiredOf(group);
      await this.removePods(own.slice(wanted));
      for (let each = own.length; each < wanted; each++)
        await this.makePod(cluster, "worker", group.groupName, group.template, hash);
    }
  }

  private async removePods(pods: readonly Pod[]): Promise<void> {
    for (const { metadata } of pods)
      await this.send("DELETE", `/api/v1/namespaces/${this.namespace}/pods/${metadata.name}`).catch(() => undefined);
  }

  private async makePod(
    cluster: RayClusterObject,
    type: string,
    group: string,
    { metadata, spec }: Template,
    hash: string,
  ): Promise<void> {
    const { name } = cluster.metadata;
    const labels = { "ray.io/cluster": name, "ray.io/node-type": type, "ray.io/group": group };
    await this.send("POST", `/api/v1/namespaces/${this.namespace}/pods`, {
      apiVersion: "v1",
      kind: "Pod",
      metadata: {
        generateName: `${name}-${group}-`,
        labels: { ...metadata?.labels, ...labels },
        annotations: { ...metadata?.annotations, [HASH]: hash },
        ownerReferences: [{ ...ownerOf(cluster), controller: true, blockOwnerDeletion: true }],
      },
      spec,
    });
  }

  private async report(cluster: RayClusterObject, pods: readonly Pod[], failed: boolean): Promise<void> {
    const status = statusOf(cluster, pods, failed);
    if (status) await this.patchStatus(cluster.metadata.name, status);
  }

  /** What went wrong; undefined where there is exactly one. */
  private async reconcileHeadService(cluster: RayClusterObject): Promise<string | undefined> {
    const { name } = cluster.metadata;
    const labels = { "ray.io/cluster": name, "ray.io/node-type": "head", "ray.io/identifier": `${name}-head` };
    const selector = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
    const services = `/api/v1/namespaces/${this.namespace}/services`;
    const { length: there } = await this.list(`${services}?labelSelector=${encodeURIComponent(selector.join())}`);
    if (there > 0) return there === 1 ? undefined : `${there} head services found`;
    const owner = ownerOf(cluster);
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
      await this.warn(
        owner,
        "FailedToCreateService",
        `Failed creating service ${this.namespace}/${name}-head-svc, ${failure}`,
      );
    return failure;
  }

  private async warn(involved: object, reason: string, message: string): Promise<void> {
    const event = {
      apiVersion: "v1",
      kind: "Event",
      metadata: { generateName: "ray-operator-", namespace: this.namespace },
      involvedObject: { ...involved, namespace: this.namespace },
      type: "Warning",
      reason,
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
