import type { Context } from "../context";
import { platformConfig } from "../../engine/stack/config";
import { clusterNeeds } from "../../components/platform/facts";
import type { PlatformConfig } from "../../components/platform/config/platformConfig";
import { messageOf } from "../../foundation/errors";
import { bytes } from "../../foundation/text/numbers";
import type { Client } from "../../kubernetes/client/client";
import { isForbidden } from "../../kubernetes/client/apiError";
import { numberAt, listAt, type KubeObject } from "../../kubernetes/objects/objects";
import { selectedCluster } from "../bundle/cluster/cluster";
import { structured, type OutputOptions } from "../options/output";
import { numbers, table } from "../terminal/table";
import { parseCosts, usageByOwner, type PodCost, type Usage, type UsageKind } from "./groups";

export interface UsageOptions extends OutputOptions {
  readonly by?: UsageKind;
  readonly since: string;
}

/** Shows what runs on the cluster of a stack, and what it costs if OpenCost is there. Only reads. */
export async function showUsage(context: Context, stack: string, options: UsageOptions): Promise<void> {
  const { by, since } = options;
  const [client, config] = await Promise.all([
    selectedCluster(context.platforms, { againstStack: stack }),
    platformConfig(context.platforms, stack),
  ]);
  if (!client) throw new Error("a stack selects a cluster");
  const own = usedNamespaces(config);
  const [pods, claims, marked, costs] = await Promise.all([
    readable(client, "Pod", own),
    readable(client, "PersistentVolumeClaim", own),
    runtimeNamespaces(client),
    costsOf(client, since),
  ]);
  const provisioners = Object.values(config.provisioners).flatMap(({ settings }) => settings.namespace ?? []);
  const names = {
    teams: new Map(Object.entries(config.teams).map(([team, { namespace }]) => [namespace, team])),
    runtimes: new Set([...marked, ...provisioners]),
  };
  const seen = { pods: pods.objects, claims: claims.objects, costs: costs.pods, hasClaims: claims.isKnown };
  const usage = usageByOwner(seen, names, by);
  const unknown = [unknownPart("pods", pods), unknownPart("persistentvolumeclaims", claims)].flat();
  const text = structured(
    { stack, since, ...(costs.missing !== undefined && { noCosts: costs.missing }), unknown, usage },
    options,
  );
  if (text !== undefined) return context.print(text);
  const none = unknown.length > 0 ? "no pod can be read on" : "nothing runs on";
  context.print(usage.length === 0 ? `${none} the cluster of ${stack}` : usageTable(usage, since));
  for (const line of unknown) context.live.line(line);
  if (costs.missing !== undefined) context.live.line(`no costs: ${costs.missing}`);
}

/** Namespaces that the config names. */
const usedNamespaces = (config: PlatformConfig): string[] => {
  const needed = clusterNeeds(config).flatMap((need) => (need.type === "objects" ? (need.namespace ?? []) : []));
  const teams = Object.values(config.teams).map(({ namespace }) => namespace);
  return [...new Set([...needed, ...teams])].sort();
};

interface Readable {
  readonly objects: readonly KubeObject[];
  /** Namespaces of which objects are known; undefined: all. */
  readonly namespaces?: readonly string[];
  readonly isKnown: (namespace: string) => boolean;
}

/** Lists what the user may read: in all namespaces, or in those of the config. */
async function readable(client: Client, kind: string, own: readonly string[]): Promise<Readable> {
  const list = async (where: { readonly namespace?: string }): Promise<readonly KubeObject[] | undefined> => {
    try {
      return await client.list({ apiVersion: "v1", kind, ...where });
    } catch (error) {
      if (!isForbidden(error)) throw error;
      return undefined;
    }
  };
  const all = await list({});
  if (all !== undefined) return { objects: all, isKnown: () => true };
  const found = await Promise.all(own.map((namespace) => list({ namespace })));
  const namespaces = own.filter((_, index) => found[index] !== undefined);
  return { objects: found.flatMap((one) => one ?? []), namespaces, isKnown: (one) => namespaces.includes(one) };
}

const unknownPart = (resource: string, { namespaces }: Readable): string[] => {
  if (namespaces === undefined) return [];
  const where = namespaces.length === 0 ? "in no namespace" : `only in ${namespaces.join(", ")}`;
  return [`${resource} are known ${where}; the right to list them in all namespaces shows the rest`];
};

/** Runtimes also have labels of their own, so without the right to list namespaces only those of other platforms may be missed. */
async function runtimeNamespaces(client: Client): Promise<string[]> {
  try {
    const kind = { apiVersion: "v1", kind: "Namespace" };
    const found = await client.list(kind, { label: "stackyard.dev/runtimes", metadataOnly: true });
    return found.map(({ metadata }) => metadata.name ?? "");
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return [];
  }
}

interface Costs {
  readonly pods?: PodCost[];
  /** Why there are none. */
  readonly missing?: string;
}

/** What OpenCost allocates to each pod, through the API server. */
async function costsOf(client: Client, since: string): Promise<Costs> {
  try {
    const [service] = await client.list(
      { apiVersion: "v1", kind: "Service" },
      { label: "app.kubernetes.io/name=opencost" },
    );
    if (service === undefined)
      return { missing: "OpenCost is not installed; docs/operations.md of Stackyard has its settings" };
    const { namespace = "", name = "" } = service.metadata;
    const port = listAt(service, "spec", "ports").find((one) => one["name"] === "http");
    const query = { window: since, aggregate: "namespace,pod", accumulate: "true", includeAggregatedMetadata: "true" };
    const path = `/allocation/compute?${new URLSearchParams(query).toString()}`;
    const at = { namespace, name, port: numberAt(port, "port") ?? 9003 };
    const answer = await client.ask("read the costs of OpenCost", at, { method: "GET", path }, 60_000, 5_000);
    const pods = parseCosts(JSON.parse(answer));
    return pods ? { pods } : { missing: `OpenCost responded ${answer.slice(0, 200)}` };
  } catch (error) {
    const rights = "; it needs list of services and get of services/proxy";
    return { missing: `${messageOf(error)}${isForbidden(error) ? rights : ""}` };
  }
}

const cores = (value: number): string => String(Math.round(value * 100) / 100);
const orNone =
  (text: (value: number) => string) =>
  (value: number): string =>
    value === 0 ? "-" : text(value);

type Figure = readonly [title: string, of: (one: Usage) => number | undefined, text: (value: number) => string];

const FIGURES: readonly Figure[] = [
  ["PODS", ({ pods }) => pods, String],
  ["CPU", ({ cpu }) => cpu, cores],
  ["CPU LIMIT", ({ cpuLimit }) => cpuLimit, orNone(cores)],
  ["MEMORY", ({ memory }) => memory, bytes],
  ["MEMORY LIMIT", ({ memoryLimit }) => memoryLimit, orNone(bytes)],
  ["GPUS", ({ gpus }) => gpus, orNone(cores)],
  ["DISK", ({ disk }) => disk, orNone(bytes)],
];

function usageTable(usage: readonly Usage[], since: string): string {
  const hasCosts = usage.some(({ cost }) => cost !== undefined);
  const costs: Figure = [`COST ${since}`, ({ cost = 0 }) => cost, (value) => value.toFixed(2)];
  const columns = hasCosts ? [...FIGURES, costs] : FIGURES;
  const row = (kind: string, name: string, places: readonly string[], of: readonly Usage[]): string[] => [
    ...[kind, name, places.length > 2 ? `${places.length} namespaces` : places.join(", ")],
    ...columns.map(([, get, text]) => {
      const values = of.map(get);
      return values.includes(undefined) ? "?" : text(values.reduce<number>((sum, value = 0) => sum + value, 0));
    }),
  ];
  return table(
    ["KIND", "NAME", "NAMESPACE", ...columns.map(([title]) => numbers(title))],
    [...usage.map((one) => row(one.kind, one.name, one.namespaces, [one])), row("total", "", [], usage)],
  );
}
