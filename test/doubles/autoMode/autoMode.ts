import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../../../kubernetes/client/client";
import { connect } from "../../../kubernetes/connect/connect";
import type { KubeObject } from "../../../kubernetes/objects/objects";

interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
}
interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}
interface PoolSpec {
  readonly template: {
    readonly metadata?: { readonly labels?: Readonly<Record<string, string>> };
    readonly spec: {
      readonly nodeClassRef: object & { readonly name: string };
      readonly requirements: readonly { readonly key: string; readonly values?: readonly string[] }[];
      readonly taints?: readonly Taint[];
    };
  };
  readonly limits?: { readonly nodes?: string };
  readonly disruption?: { readonly consolidateAfter?: string };
}
interface PodSpec {
  readonly nodeName?: string;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly tolerations?: readonly Toleration[];
}

const POOL = "karpenter.sh/nodepool";
const FINALIZER = "eks.amazonaws.com/termination";
const NODE_POOL = { apiVersion: "karpenter.sh/v1", kind: "NodePool" };
const NODE_CLAIM = { apiVersion: "karpenter.sh/v1", kind: "NodeClaim" };
const NODE_CLASS = { apiVersion: "eks.amazonaws.com/v1", kind: "NodeClass" };
const NODE = { apiVersion: "v1", kind: "Node" };
/** Maximum number of pods per node. */
const ROOM = 10;

const isDeleting = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp !== undefined;

/** Simulates EKS Auto Mode for the pods of one namespace, as described in this folder's README. */
export class AutoMode {
  private running = true;
  private readonly client: Client;
  private readonly done: Promise<void>;
  /** When a node was first seen without pods. */
  private readonly idle = new Map<string, number>();
  private count = 0;

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
      // Objects that disappear during a pass are handled by the next one.
      await this.look().catch(() => undefined);
      await sleep(100);
    }
  }

  private async look(): Promise<void> {
    const [pools, classes, claims, pods] = await Promise.all([
      this.client.list(NODE_POOL),
      this.client.list(NODE_CLASS),
      this.client.list(NODE_CLAIM),
      this.client.list({ apiVersion: "v1", kind: "Pod", namespace: this.namespace }),
    ]);
    const serving = pools.filter((pool) => !isDeleting(pool));
    for (const claim of claims) await this.removeIdle(claim, serving, pods);
    for (const one of classes) await this.finish(one, claims);
    const waiting = pods.filter((pod) => !isDeleting(pod) && (pod["spec"] as PodSpec).nodeName === undefined);
    for (const pod of waiting) await this.addFor(pod, serving, claims, pods);
  }

  private async addFor(
    pod: KubeObject,
    pools: readonly KubeObject[],
    claims: readonly KubeObject[],
    pods: readonly KubeObject[],
  ): Promise<void> {
    const { nodeSelector = {}, tolerations = [] } = pod["spec"] as PodSpec;
    for (const pool of pools) {
      const spec = pool["spec"] as PoolSpec;
      const labels = labelsOf(pool);
      const own = claims.filter(({ metadata }) => metadata.labels?.[POOL] === pool.metadata.name);
      const isFull = own.length >= Number(spec.limits?.nodes ?? Infinity);
      const fits =
        Object.entries(nodeSelector).every(([key, value]) => labels[key] === value) &&
        (spec.template.spec.taints ?? []).every((taint) => tolerations.some((one) => tolerates(one, taint)));
      // A node with free room exists, but the scheduler has not used it yet.
      const hasRoom = own.some(({ metadata }) => podsOn(metadata.name, pods).length < ROOM);
      if (fits && !isFull && !hasRoom) return this.add(pool, labels);
    }
  }

  private async add(pool: KubeObject, labels: Readonly<Record<string, string>>): Promise<void> {
    const { nodeClassRef, requirements, taints = [] } = (pool["spec"] as PoolSpec).template.spec;
    const name = `${pool.metadata.name}-${this.namespace}-${(this.count += 1)}`;
    const spec = { nodeClassRef, requirements };
    await this.client.apply({ ...NODE_CLAIM, metadata: { name, labels: { [POOL]: pool.metadata.name } }, spec });
    const room = { cpu: "4", memory: "16Gi", pods: String(ROOM) };
    await this.client.apply({
      ...NODE,
      metadata: {
        name,
        labels: { ...labels, "kubernetes.io/hostname": name },
        annotations: { "kwok.x-k8s.io/node": "fake" },
      },
      spec: { taints: [...taints] },
      status: { allocatable: room, capacity: room },
    });
  }

  /** Removes a node without pods after a while, or at once if its pool is deleted. */
  private async removeIdle(
    claim: KubeObject,
    pools: readonly KubeObject[],
    pods: readonly KubeObject[],
  ): Promise<void> {
    const { name, labels } = claim.metadata;
    const pool = pools.find(({ metadata }) => metadata.name === labels?.[POOL]);
    const isUsed = podsOn(name, pods).length > 0;
    if (isUsed) this.idle.delete(name);
    else if (!this.idle.has(name)) this.idle.set(name, Date.now());
    const after = milliseconds((pool?.["spec"] as PoolSpec | undefined)?.disruption?.consolidateAfter ?? "0s");
    const isIdle = !isUsed && Date.now() - (this.idle.get(name) ?? Infinity) >= after;
    if (pool !== undefined && !isIdle) return;
    await this.client.remove({ ...NODE, name });
    await this.client.remove({ ...NODE_CLAIM, name });
  }

  /** A class stays while nodes use it. */
  private async finish(one: KubeObject, claims: readonly KubeObject[]): Promise<void> {
    const { name, finalizers = [] } = one.metadata;
    const isUsed = claims.some((claim) => (claim["spec"] as PoolSpec["template"]["spec"]).nodeClassRef.name === name);
    const wanted = isDeleting(one) && !isUsed ? [] : [FINALIZER];
    if (finalizers.join() === wanted.join() || (isDeleting(one) && wanted.length > 0)) return;
    await this.client.merge({ ...NODE_CLASS, name }, { metadata: { finalizers: wanted } });
  }
}

const podsOn = (node: string, pods: readonly KubeObject[]): KubeObject[] =>
  pods.filter((pod) => (pod["spec"] as PodSpec).nodeName === node);

/** Returns a node's labels: those of its pool, and the pool's requirements with their first values. */
function labelsOf({ metadata, spec }: KubeObject): Record<string, string> {
  const { template } = spec as PoolSpec;
  const required = template.spec.requirements.map(({ key, values = [] }) => [key, values[0] ?? ""]);
  return {
    ...(Object.fromEntries(required) as Record<string, string>),
    ...template.metadata?.labels,
    [POOL]: metadata.name,
    "eks.amazonaws.com/compute-type": "auto",
  };
}

const tolerates = ({ key, operator, value }: Toleration, taint: Taint): boolean =>
  (key === undefined || key === taint.key) && (operator === "Exists" || (value ?? "") === (taint.value ?? ""));

const UNITS = { s: 1000, m: 60_000, h: 3_600_000 } as const;

function milliseconds(duration: string): number {
  if (duration === "Never") return Infinity;
  const parts = [...duration.matchAll(/(\d+)([smh])/g)];
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * UNITS[unit as keyof typeof UNITS], 0);
}
