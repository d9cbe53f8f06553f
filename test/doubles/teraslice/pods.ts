import type { Client } from "../../../provider/kubernetes/client";
import type { KubeObject } from "../../../provider/kubernetes/objects";
import type { Doc } from "./store";

/** What a master makes in Kubernetes of an execution, as far as a test needs it: it is found, owned and scaled as documented. */
export class Pods {
  /** Namespace and image of what is made. An image of the tag `missing` can't be pulled. */
  constructor(
    private readonly client: Client,
    private readonly namespace: string,
    private readonly image = "example/teraslice:1",
  ) {}

  /** The Job, the Service and the Deployment, which go with the Job. */
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

  /** Whether all workers are there. */
  async areReady(id: string): Promise<boolean> {
    const [workers] = await this.of(id, "apps/v1", "Deployment");
    const { status, spec } = (workers ?? {}) as { status?: { readyReplicas?: number }; spec?: { replicas?: number } };
    return workers !== undefined && (status?.readyReplicas ?? 0) >= (spec?.replicas ?? 1);
  }

  async any(id: string): Promise<boolean> {
    const kinds = [
      ["batch/v1", "Job"],
      ["v1", "Service"],
      ["apps/v1", "Deployment"],
    ] as const;
    const found = await Promise.all(kinds.map(([apiVersion, kind]) => this.of(id, apiVersion, kind)));
    return found.flat().length > 0;
  }

  async drop(id: string): Promise<void> {
    for (const { apiVersion, kind, metadata } of await this.of(id, "batch/v1", "Job")) {
      await this.client.remove({ apiVersion, kind, namespace: this.namespace, name: metadata.name });
    }
  }

  async scale(id: string, replicas: number): Promise<void> {
    for (const { apiVersion, kind, metadata } of await this.of(id, "apps/v1", "Deployment")) {
      await this.client.merge(
        { apiVersion, kind, namespace: this.namespace, name: metadata.name },
        { spec: { replicas } },
      );
    }
  }

  private of(id: string, apiVersion: string, kind: string): Promise<KubeObject[]> {
    const label = `teraslice.terascope.io/jobId=${id}`;
    return this.client.list({ apiVersion, kind, namespace: this.namespace }, { label });
  }
}
