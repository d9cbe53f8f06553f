import type { Client } from "../../../kubernetes/client/client";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { Refusal, type Doc } from "./refusal";

/**
 * Creates the Kubernetes objects of an execution as far as tests need them, with the documented names, owners and
 * scaling.
 */
export class Pods {
  /** Namespace and image of the objects. An image with the tag `missing` can't be pulled. */
  constructor(
    private readonly client: Client,
    private readonly namespace: string,
    private readonly image = "example/teraslice:1",
  ) {}

  /** Creates the Job, and the Service and Deployment that it owns. */
  async make(execution: Doc): Promise<void> {
    const id = String(execution["job_id"]);
    const labels = (component: string) => ({
      "app.kubernetes.io/name": "teraslice",
      "app.kubernetes.io/component": component,
      "teraslice.terascope.io/jobId": id,
      "teraslice.terascope.io/exId": String(execution["ex_id"]),
    });
    const short = id.slice(0, 13);
    const { kubernetes_image: image = this.image } = execution;
    const template = (component: string, restartPolicy: string) => ({
      metadata: { labels: labels(component) },
      spec: { restartPolicy, containers: [{ name: component.replace("_", "-"), image }] },
    });
    const meta = (name: string, component: string, more: object = {}) => ({
      name,
      namespace: this.namespace,
      labels: labels(component),
      ...more,
    });
    const job = await this.client.apply({
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: meta(`ts-exc-${short}`, "execution_controller"),
      spec: { template: template("execution_controller", "Never") },
    });
    const ownerReferences = [
      { apiVersion: "batch/v1", kind: "Job", name: job.metadata.name, uid: job.metadata.uid ?? "" },
    ];
    await this.client.apply({
      apiVersion: "v1",
      kind: "Service",
      metadata: meta(`svc-ts-exc-${short}`, "execution_controller", { ownerReferences }),
      spec: { selector: labels("execution_controller"), ports: [{ port: 45680 }] },
    });
    await this.client.apply({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: meta(`ts-wkr-${short}`, "worker", { ownerReferences }),
      spec: {
        replicas: Number(execution["workers"] ?? 1),
        selector: { matchLabels: labels("worker") },
        template: template("worker", "Always"),
      },
    });
  }

  /** Whether all workers exist. */
  async areReady(id: string): Promise<boolean> {
    const [workers] = await this.of(`${JOB_ID}=${id}`, "apps/v1", "Deployment");
    const { status, spec } = (workers ?? {}) as { status?: { readyReplicas?: number }; spec?: { replicas?: number } };
    return workers !== undefined && (status?.readyReplicas ?? 0) >= (spec?.replicas ?? 1);
  }

  /** Ids of a job's executions that have objects in Kubernetes. */
  async left(id: string): Promise<string[]> {
    const found = await Promise.all(KINDS.map(([apiVersion, kind]) => this.of(`${JOB_ID}=${id}`, apiVersion, kind)));
    return [...new Set(found.flat().map(({ metadata }) => metadata.labels?.[EX_ID] ?? ""))];
  }

  /** Whether pods of an execution exist; a master treats it as stopped otherwise. */
  async run(exId: string): Promise<boolean> {
    return (await this.of(`${EX_ID}=${exId}`, "v1", "Pod")).length > 0;
  }

  /**
   * Deletes only the Job, as a master does, which deletes the objects it owns. With `force`, deletes all of them, owned
   * ones first.
   */
  async drop(exId: string, force = false): Promise<void> {
    for (const [apiVersion, kind] of force ? FROM_BELOW : FROM_BELOW.slice(-1)) {
      for (const { metadata } of await this.of(`${EX_ID}=${exId}`, apiVersion, kind)) {
        if (metadata.deletionTimestamp !== undefined) continue;
        await this.client.remove({ apiVersion, kind, namespace: this.namespace, name: metadata.name });
      }
    }
  }

  /** Sets, adds or removes workers of an execution. */
  async scale(exId: string, number: number, how: "total" | "add" | "remove" = "total"): Promise<void> {
    const label = `app.kubernetes.io/component=worker,${EX_ID}=${exId}`;
    const [deployment] = await this.of(label, "apps/v1", "Deployment");
    if (!deployment)
      throw new Refusal(500, `Teraslice deployment matching the following selector was not found: ${label}`);
    const { apiVersion, kind, metadata, spec } = deployment;
    const now = (spec as { replicas: number }).replicas;
    const replicas = { total: number, add: now + number, remove: now - number }[how];
    await this.client.merge(
      { apiVersion, kind, namespace: this.namespace, name: metadata.name },
      { spec: { replicas } },
    );
  }

  private of(label: string, apiVersion: string, kind: string): Promise<KubeObject[]> {
    return this.client.list({ apiVersion, kind, namespace: this.namespace }, { label });
  }
}

const JOB_ID = "teraslice.terascope.io/jobId";
const EX_ID = "teraslice.terascope.io/exId";
const KINDS = [
  ["v1", "Pod"],
  ["apps/v1", "Deployment"],
  ["v1", "Service"],
  ["batch/v1", "Job"],
  ["apps/v1", "ReplicaSet"],
] as const;
const FROM_BELOW = [
  ["v1", "Pod"],
  ["apps/v1", "ReplicaSet"],
  ["apps/v1", "Deployment"],
  ["v1", "Service"],
  ["batch/v1", "Job"],
] as const;
