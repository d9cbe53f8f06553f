import type { Context } from "../context";
import { platformConfig } from "../../engine/stack/config";
import { messageOf } from "../../foundation/errors";
import { bytes } from "../../foundation/text/numbers";
import type { Client } from "../../kubernetes/client/client";
import { isForbidden } from "../../kubernetes/client/apiError";
import { numberAt, listAt } from "../../kubernetes/objects/objects";
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
  const [client, { teams }] = await Promise.all([
    selectedCluster(context.platforms, { againstStack: stack }),
    platformConfig(context.platforms, stack),
  ]);
  if (!client) throw new Error("a stack selects a cluster");
  const core = (kind: string) => ({ apiVersion: "v1", kind });
  const [pods, claims, namespaces, costs] = await Promise.all([
    client.list(core("Pod")),
    client.list(core("PersistentVolumeClaim")),
    client.list(core("Namespace"), { label: "stackyard.dev/runtimes", metadataOnly: true }),
    costsOf(client, since),
  ]);
  const names = {
    teams: new Map(Object.entries(teams).map(([team, { namespace }]) => [namespace, team])),
    runtimes: new Set(namespaces.map(({ metadata }) => metadata.name ?? "")),
  };
  const usage = usageByOwner({ pods, claims, costs: costs.pods }, names, by);
  const text = structured(
    { stack, since, ...(costs.missing !== undefined && { noCosts: costs.missing }), usage },
    options,
  );
  if (text !== undefined) return context.print(text);
  context.print(usage.length === 0 ? `nothing runs on the cluster of ${stack}` : usageTable(usage, since));
  if (costs.missing !== undefined) context.live.line(`no costs: ${costs.missing}`);
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

type Figure = readonly [title: string, of: (one: Usage) => number, text: (value: number) => string];

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
    ...columns.map(([, get, text]) => text(of.reduce((sum, one) => sum + get(one), 0))),
  ];
  return table(
    ["KIND", "NAME", "NAMESPACE", ...columns.map(([title]) => numbers(title))],
    [...usage.map((one) => row(one.kind, one.name, one.namespaces, [one])), row("total", "", [], usage)],
  );
}
