/** Sums what pods request, by what they run for. Pure. */

import { isObject, type Json } from "../../foundation/json/isObject";
import { at, listAt, objectAt, textAt, type KubeObject } from "../../kubernetes/objects/objects";
import { quantity } from "../../foundation/kubernetes/quantity";

export const USAGE_KINDS = ["deployment", "ray", "user", "team", "namespace"] as const;
export type UsageKind = (typeof USAGE_KINDS)[number];

/** What a platform has in its config. */
export interface UsageNames {
  /** Teams by namespace. */
  readonly teams: ReadonlyMap<string, string>;
  /** Namespaces of runtimes. */
  readonly runtimes: ReadonlySet<string>;
}

/** The cost of a pod in the window, also of one that is gone. */
export interface PodCost {
  readonly namespace: string;
  /** As Prometheus has them: `app_kubernetes_io_name`. */
  readonly labels: Readonly<Record<string, string>>;
  readonly cost: number;
}

/** One line of the table. Cores, bytes, and the currency of OpenCost. */
export interface Usage {
  readonly kind: UsageKind;
  readonly name: string;
  /** Namespaces of its pods. */
  readonly namespaces: readonly string[];
  readonly pods: number;
  readonly cpu: number;
  /** Of the containers that have one. */
  readonly cpuLimit: number;
  readonly memory: number;
  readonly memoryLimit: number;
  readonly gpus: number;
  /** Requested by its claims. Not set if claims of one of its namespaces can't be read. */
  readonly disk?: number;
  /** Not set without OpenCost. */
  readonly cost?: number;
}

type Sums = Pick<Usage, "cpu" | "cpuLimit" | "memory" | "memoryLimit" | "gpus">;
type Labels = (name: string) => string | undefined;

/** Prometheus has no other characters in names of labels. */
const sanitized = (label: string): string => label.replace(/[^a-zA-Z0-9_]/g, "_");

/** What a pod runs for, of each kind that fits; the first one is what a table without `--by` shows. */
function ownersOf(namespace: string, label: Labels, { teams, runtimes }: UsageNames): Map<UsageKind, string> {
  const instance = label("app.kubernetes.io/instance");
  const name = label("app.kubernetes.io/name");
  const [user, team] = [label("hub.jupyter.org/username"), teams.get(namespace)];
  const isRuntime = name === "runtime" || runtimes.has(namespace);
  return new Map<UsageKind, string>([
    ...(user === undefined ? [] : [["user", user] as const]),
    ...(name === "ray" && instance !== undefined ? [["ray", instance.replace(/-ray$/, "")] as const] : []),
    ...(isRuntime && instance !== undefined ? [["deployment", instance.replace(/^clickhouse-/, "")] as const] : []),
    ...(team === undefined ? [] : [["team", team] as const]),
    ["namespace", namespace],
  ]);
}

const GPU = /^(nvidia\.com\/gpu|nvidia\.com\/mig-.*|amd\.com\/gpu|aws\.amazon\.com\/neuron(core)?)$/;

/** Requests and limits of one container. */
function resourcesOf(container: Json): Sums {
  const [requests, limits] = ["requests", "limits"].map((key) => objectAt(container, "resources", key));
  // Without a request, Kubernetes takes the limit for it.
  const of = (name: string): number => quantity(requests?.[name]) ?? quantity(limits?.[name]) ?? 0;
  const gpus = Object.entries(limits ?? {}).flatMap(([name, value]) => (GPU.test(name) ? (quantity(value) ?? 0) : []));
  return {
    ...{ cpu: of("cpu"), cpuLimit: quantity(limits?.["cpu"]) ?? 0 },
    ...{ memory: of("memory"), memoryLimit: quantity(limits?.["memory"]) ?? 0 },
    gpus: gpus.reduce((sum, one) => sum + one, 0),
  };
}

const FIELDS = ["cpu", "cpuLimit", "memory", "memoryLimit", "gpus"] as const;
const NONE: Sums = { cpu: 0, cpuLimit: 0, memory: 0, memoryLimit: 0, gpus: 0 };
const merged = (a: Sums, b: Sums, with_: (a: number, b: number) => number): Sums =>
  Object.fromEntries(FIELDS.map((field) => [field, with_(a[field], b[field])])) as unknown as Sums;
const plus = (a: Sums, b: Sums): Sums => merged(a, b, (one, other) => one + other);

/** What the scheduler reserves for a pod: its containers and sidecars, or the largest of those that run before. */
export function podResources(pod: KubeObject): Sums {
  const initial = listAt(pod, "spec", "initContainers");
  const sidecars = initial.filter((one) => one["restartPolicy"] === "Always");
  const running = [...listAt(pod, "spec", "containers"), ...sidecars].map(resourcesOf).reduce(plus, NONE);
  const before = initial.filter((one) => !sidecars.includes(one)).map(resourcesOf);
  const largest = before.reduce((a, b) => merged(a, b, Math.max), running);
  return plus(largest, resourcesOf({ resources: { requests: objectAt(pod, "spec", "overhead") } }));
}

const isRunning = (pod: KubeObject): boolean => !/^(Succeeded|Failed)$/.test(textAt(pod, "status", "phase") ?? "");

const claimsOf = (pod: KubeObject): string[] =>
  listAt(pod, "spec", "volumes").flatMap((volume) => textAt(volume, "persistentVolumeClaim", "claimName") ?? []);

interface Seen {
  readonly pods: readonly KubeObject[];
  readonly claims: readonly KubeObject[];
  /** Undefined without OpenCost. */
  readonly costs: readonly PodCost[] | undefined;
  /** Whether the claims of a namespace can be read. Default: all. */
  readonly hasClaims?: (namespace: string) => boolean;
}

/** Sums by owner, the most expensive or largest first. `by` takes only pods that have such an owner. */
export function usageByOwner(
  { pods, claims, costs, hasClaims = () => true }: Seen,
  names: UsageNames,
  by?: UsageKind,
): Usage[] {
  const groups = new Map<string, Usage & { readonly disk: number }>();
  const add = (
    namespace: string,
    label: Labels,
    more: Partial<Sums & { pods: number; disk: number; cost: number }>,
  ) => {
    const owners = ownersOf(namespace, label, names);
    const kind = by ?? [...owners.keys()][0]!;
    const name = owners.get(kind);
    if (name === undefined) return;
    const key = JSON.stringify([kind, name]);
    const before = groups.get(key) ?? { kind, name, namespaces: [], pods: 0, ...NONE, disk: 0 };
    groups.set(key, {
      ...before,
      ...plus(before, { ...NONE, ...more }),
      namespaces: [...new Set([...before.namespaces, namespace])].sort(),
      pods: before.pods + (more.pods ?? 0),
      disk: before.disk + (more.disk ?? 0),
      ...(costs && { cost: (before.cost ?? 0) + (more.cost ?? 0) }),
    });
  };
  const labelsOf = (object: KubeObject): Labels => {
    const labels = objectAt(object, "metadata", "labels");
    return (name) => (typeof labels[name] === "string" ? labels[name] : undefined);
  };
  const users = new Map<string, KubeObject>();
  for (const pod of pods.filter(isRunning)) {
    const { namespace = "" } = pod.metadata;
    add(namespace, labelsOf(pod), { pods: 1, ...podResources(pod) });
    for (const claim of claimsOf(pod)) users.set(`${namespace}/${claim}`, pod);
  }
  for (const claim of claims) {
    const { namespace = "", name = "" } = claim.metadata;
    const disk = quantity(at(claim, "spec", "resources", "requests", "storage")) ?? 0;
    // A disk that no pod uses has labels of its own, if it belongs to a runtime that hibernates.
    add(namespace, labelsOf(users.get(`${namespace}/${name}`) ?? claim), { disk });
  }
  for (const { namespace, labels, cost } of costs ?? []) add(namespace, (name) => labels[sanitized(name)], { cost });
  const known = [...groups.values()].map(({ disk, ...one }): Usage =>
    one.namespaces.every(hasClaims) ? { ...one, disk } : one,
  );
  return known.sort((a, b) => (b.cost ?? 0) - (a.cost ?? 0) || b.cpu - a.cpu || (a.name < b.name ? -1 : 1));
}

/** The costs in an answer of OpenCost; undefined if it is none. */
export function parseCosts(answer: unknown): PodCost[] | undefined {
  const sets = isObject(answer) ? answer["data"] : undefined;
  if (!Array.isArray(sets)) return undefined;
  return sets.flatMap((set: unknown) =>
    Object.values(isObject(set) ? set : {}).flatMap((one): PodCost[] => {
      const properties = objectAt(one, "properties");
      const cost = at(one, "totalCost");
      const labels = objectAt(properties, "labels") as Record<string, string>;
      const { namespace } = properties;
      // What no pod uses, such as idle nodes, has no namespace.
      return typeof cost === "number" && typeof namespace === "string" ? [{ namespace, labels, cost }] : [];
    }),
  );
}
