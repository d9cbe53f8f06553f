import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "../../kubernetes/connect/connect";
import type { Client } from "../../kubernetes/client/client";
import type { KubeObject } from "../../kubernetes/objects/objects";
import { textAt, refOf } from "../../kubernetes/objects/objects";

const FINALIZER = "ingress.k8s.aws/resources";
const DEPLOYMENT = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  namespace: "kube-system",
  name: "aws-load-balancer-controller",
};
/** How long AWS needs to delete a load balancer. */
const DELETION_MS = 3000;

/**
 * Simulates the AWS Load Balancer Controller in one namespace, as described in test/doubles/README.md: it works only while its
 * Deployment exists, adds finalizers to Ingresses of the class `alb`, and removes them once their load balancers are
 * deleted.
 */
export class LoadBalancerController {
  /** Names of Ingresses whose load balancers it has deleted. */
  readonly deleted: string[] = [];
  private running = true;
  private readonly client: Client;
  private readonly done: Promise<void>;

  /** @param kubeconfig Path of a kubeconfig. */
  constructor(
    kubeconfig: string,
    private readonly namespace: string,
  ) {
    this.client = connect(readFileSync(kubeconfig, "utf8"), undefined, {});
    this.done = this.work();
  }

  async stop(): Promise<void> {
    this.running = false;
    await this.done;
  }

  private async work(): Promise<void> {
    while (this.running) {
      if (await this.client.get(DEPLOYMENT)) {
        for (const one of await this.ingresses()) await this.reconcile(one);
      }
      await sleep(200);
    }
  }

  private async ingresses(): Promise<KubeObject[]> {
    const kind = { apiVersion: "networking.k8s.io/v1", kind: "Ingress", namespace: this.namespace };
    const all = await this.client.list(kind);
    return all.filter((one) => textAt(one, "spec", "ingressClassName") === "alb");
  }

  private async reconcile(ingress: KubeObject): Promise<void> {
    const { finalizers = [], deletionTimestamp } = ingress.metadata;
    const isMarked = finalizers.includes(FINALIZER);
    if (deletionTimestamp === undefined && !isMarked) return this.mark(ingress, [...finalizers, FINALIZER]);
    if (deletionTimestamp === undefined || !isMarked) return;
    await sleep(DELETION_MS);
    // If its Deployment was deleted meanwhile, it deletes nothing more.
    if ((await this.client.get(DEPLOYMENT)) === undefined) return;
    this.deleted.push(ingress.metadata.name);
    await this.mark(
      ingress,
      finalizers.filter((one) => one !== FINALIZER),
    );
  }

  private async mark(ingress: KubeObject, finalizers: readonly string[]): Promise<void> {
    await this.client.merge(refOf(ingress), { metadata: { finalizers } });
  }
}
