import type { RayEndpoint } from "../../components/contract/site";
import type { RayMode } from "../../components/ray/clusters";
import { pulumi } from "../../engine/pulumi/pulumi";
import { Failure, UsageError } from "../../foundation/errors";
import type { Workspace } from "../../foundation/pulumi/backend";
import type { StackFile } from "../../engine/stack/file";
import { platformReference } from "../../engine/stack/names";

const KEY = "stackyard:ray";
const HUB_KEY = "stackyard:jupyterhub";
const NAME = /^[a-z]([a-z0-9-]{0,47}[a-z0-9])?$/;

/** The fields of a Ray cluster in a stack file that commands change. */
interface Entry {
  readonly mode?: string;
  readonly enabled?: boolean;
}

/** A Ray cluster of a platform stack. */
interface RayCluster {
  readonly name: string;
  readonly mode: string;
  /** `off`: described but disabled; `not up`: enabled since the last update. */
  readonly state: "running" | "off" | "not up";
  readonly endpoint?: RayEndpoint;
}

/** Checks the name of a Ray cluster before it is written to a file. */
export function rayName(text: string): string {
  if (NAME.test(text)) return text;
  throw new UsageError(
    `name: found ${JSON.stringify(text)}; expected a-z, 0-9 and inner -, a letter first, 49 characters at most`,
  );
}

const entriesOf = (file: StackFile): Readonly<Record<string, Entry>> =>
  (file.config(KEY) as Readonly<Record<string, Entry>> | undefined) ?? {};

/** The description of a cluster to enable. */
export interface RequestedCluster {
  readonly mode?: RayMode;
  /** Name of the cluster whose description a new one copies. Default: all defaults. */
  readonly like?: string;
}

/**
 * Enables a cluster in its stack file, and adds it if it is new. Returns the cluster that notebooks keep using if this
 * had to be fixed in the file.
 */
export function enable(file: StackFile, name: string, { mode, like }: RequestedCluster): string | undefined {
  const entries = entriesOf(file);
  const running = Object.keys(entries).filter((each) => entries[each]?.enabled !== false);
  const before = entries[name] ?? (like === undefined ? undefined : entryOf(file, like));
  const { mode: described = "static" } = before ?? {};
  // Undefined removes the key: clusters are enabled by default.
  file.setConfig(KEY, { ...entries, [name]: { ...before, mode: mode ?? described, enabled: undefined } });
  return nameNotebooksCluster(file, running, name);
}

/** Disables a cluster, and keeps its description. */
export function disable(file: StackFile, name: string): void {
  file.setConfig(KEY, { ...entriesOf(file), [name]: { ...entryOf(file, name), enabled: false } });
}

function entryOf(file: StackFile, name: string): Entry {
  const entries = entriesOf(file);
  const found = entries[name];
  if (found !== undefined) return found;
  throw new Failure(`${file.file} has no Ray cluster ${name}${known(Object.keys(entries))}`);
}

const known = (names: readonly string[]): string =>
  names.length === 0 ? "; it has none at all" : `; it has ${names.join(", ")}`;

/** Returns the running clusters by name, from the stack's outputs. */
export async function endpoints(workspace: Workspace, stack: string): Promise<Readonly<Record<string, RayEndpoint>>> {
  const reference = platformReference(stack);
  const outputs = JSON.parse(await pulumi(["stack", "output", "--json", "--stack", reference], workspace)) as {
    ray?: Readonly<Record<string, RayEndpoint>>;
  };
  return outputs.ray ?? {};
}

/** Returns the running cluster with this name. Throws, listing the running ones, if there is none. */
export async function rayEndpoint(workspace: Workspace, stack: string, name: string): Promise<RayEndpoint> {
  const all = await endpoints(workspace, stack);
  const found = all[name];
  if (found !== undefined) return found;
  const names = Object.keys(all);
  const others = names.length === 0 ? "none runs" : `there run ${names.join(", ")}`;
  throw new Failure(
    `no Ray cluster ${name} runs on the platform ${stack}; ${others}. Start it: stackyard ray up ${name}`,
  );
}

/** Returns the clusters that are described or running, sorted by name. */
export function clustersOf(file: StackFile, running: Readonly<Record<string, RayEndpoint>>): RayCluster[] {
  const entries = entriesOf(file);
  const names = [...new Set([...Object.keys(entries), ...Object.keys(running)])].sort();
  return names.map((name) => {
    const endpoint = running[name];
    const { mode = "static", enabled = true } = entries[name] ?? { mode: endpoint?.mode };
    const state = endpoint !== undefined ? "running" : enabled ? "not up" : "off";
    return { name, mode: endpoint?.mode ?? mode, state, ...(endpoint && { endpoint }) };
  });
}

/** Explains how to access a cluster from outside of Kubernetes. */
export function accessText(name: string, { namespace, service, address, dashboard, authSecret }: RayEndpoint): string {
  const [jobs, client] = [dashboard, address.replace(/^ray:/, "http:")].map((url) => new URL(url).port);
  const lines = [
    ["in Kubernetes", address],
    ["from here", `kubectl --namespace ${namespace} port-forward service/${service} ${jobs} ${client}`],
    ["then", `dashboard http://localhost:${jobs}, client ray://localhost:${client}`],
    ["a job", `stackyard ray submit ${name} -- python -c "import ray; ray.init(); print(ray.nodes())"`],
  ];
  if (authSecret !== undefined) lines.push(["token", `key auth_token of the Secret ${namespace}/${authSecret}`]);
  return lines.map(([what = "", how]) => `  ${what.padEnd(14)} ${how}`).join("\n");
}

interface Hub {
  readonly enabled?: boolean;
  readonly ray?: boolean;
  readonly rayCluster?: string;
}

/**
 * Pins the cluster that notebooks currently use before a second one is added: without a pin they use the first one by
 * name, which may be the new one. Returns its name if it was pinned.
 */
function nameNotebooksCluster(file: StackFile, running: readonly string[], added: string): string | undefined {
  const hub = file.config(HUB_KEY) as Hub | undefined;
  const [first] = running.filter((name) => name !== added).sort();
  if (hub === undefined || hub.enabled === false || hub.ray === false || hub.rayCluster !== undefined) return undefined;
  if (first === undefined || running.includes(added)) return undefined;
  file.setConfig(HUB_KEY, { ...hub, rayCluster: first });
  return first;
}
