import { CLICKHOUSE_DATABASE } from "../../components/resources/tokens";
import type { RuntimeRecord } from "../../components/runtime/record/record";
import type { ResourceState, StackState } from "../../engine/state/checkpoint";
import { count } from "../../foundation/text/numbers";
import { summariseCluster, type ClusterSummary } from "./clusterSummary";
import type { Platforms } from "./platforms";

export const STATES = ["running", "hibernated", "failed", "pending", "incomplete"] as const;

/**
 * `failed`: its last update failed after it had started. `pending`: an operation is in progress or was interrupted.
 * `incomplete`: its last operation is incomplete.
 */
export type State = (typeof STATES)[number];

/** A runtime as `list`, `status`, `check` and `-o json` show it; unknown fields are missing. */
export interface Summary {
  readonly id: string;
  readonly state: State;
  /** Why it is failed, pending or incomplete. */
  readonly reason?: string;
  /** Whether its provisioner, or the one of its database, has changed since its deployment. */
  readonly outdated?: boolean;
  readonly version?: string;
  readonly slots?: number;
  readonly environment?: string;
  /** `organization/project/stack`. */
  readonly platform?: string;
  readonly provisioner?: string;
  readonly host?: string;
  /** Its ClickHouse database. */
  readonly clickhouse?: DatabaseSummary;
  readonly cpu?: number;
  /** Its Gardener cluster. */
  readonly cluster?: ClusterSummary;
  /** When it last changed, and by which command. */
  readonly change?: { readonly command: string; readonly at: string };
  /** When its state was last written. */
  readonly updated?: Date;
}

/** Without a password. `access`: whether the deployment still requests the database. */
export interface DatabaseSummary {
  readonly provisioner?: string;
  readonly host?: string;
  readonly port?: number;
  readonly database?: string;
  readonly user?: string;
  readonly access: boolean;
}

export interface FoundRuntime {
  readonly state: StackState;
  /** The last request. */
  readonly record?: RuntimeRecord;
  /** Its provisioner, if an older version recorded it. */
  readonly provisioner?: string;
}

/** Summarises a runtime from the state of its stack. Pure. */
export function summarise({ state: stack, record, provisioner }: FoundRuntime, platforms?: Platforms): Summary {
  const { outputs, resources } = stack;
  const { deployment, platform, change } = record ?? {};
  const name = record?.provisioner ?? provisioner ?? text(outputs["provisioner"]);
  const facts = platform === undefined ? undefined : platforms?.get(platform);
  const clickhouse = databaseOf(resources);
  const cluster = summariseCluster(resources, record);
  return defined<Summary>({
    id: stack.name,
    ...condition(stack, deployment?.state),
    outdated: isOutdated([
      [record?.revision, revisionIn(facts?.revisions, name)],
      [
        record?.clickhouseRevision,
        clickhouse?.access && revisionIn(facts?.clickhouseRevisions, clickhouse.provisioner),
      ],
    ]),
    // A cluster that uses its provisioner's defaults was requested without a version.
    version: cluster?.kymaVersion ?? cluster?.kubernetesVersion ?? deployment?.version,
    slots: deployment?.slots ?? slotsOf(resources),
    environment: deployment?.environment,
    platform,
    provisioner: name,
    host: text(outputs["host"]),
    clickhouse,
    cpu: number(outputs["cpu"]),
    cluster,
    change,
    updated: stack.updated,
  });
}

function condition(
  { outputs, resources, pending }: StackState,
  wanted: "running" | "hibernated" | undefined,
): Pick<Summary, "state" | "reason"> {
  if (pending > 0) {
    const reason = `${count(pending, "operation")} running or interrupted; if no process is working on it, "stackyard runtime up" resolves that`;
    return { state: "pending", reason };
  }
  const errors = resources.flatMap(({ initErrors = [] }) => initErrors);
  if (errors.length > 0) return { state: "failed", reason: errors.join("\n") };
  const left = resources.filter((resource) => resource.delete === true);
  if (left.length > 0) {
    return { state: "incomplete", reason: `${count(left.length, "replaced resource")} not deleted yet` };
  }
  const last = text(outputs["state"]);
  if (last !== "running" && last !== "hibernated") {
    return { state: "incomplete", reason: "its last operation did not come to its end" };
  }
  return { state: wanted ?? last };
}

/** Unknown if no pair is known on both sides. */
function isOutdated(pairs: readonly (readonly [was: unknown, is: unknown])[]): boolean | undefined {
  const known = pairs.filter((pair) => pair.every((revision) => typeof revision === "string"));
  return known.length === 0 ? undefined : known.some(([was, is]) => was !== is);
}

const revisionIn = (
  revisions: Readonly<Record<string, string>> = {},
  provisioner: string | undefined,
): string | undefined =>
  provisioner !== undefined && Object.hasOwn(revisions, provisioner) ? revisions[provisioner] : undefined;

function slotsOf(resources: readonly ResourceState[]): number | undefined {
  const allocation = resources.find(({ type }) => type === "stackyard:index:SlotAllocation");
  return number(allocation?.inputs?.["slots"]);
}

function databaseOf(resources: readonly ResourceState[]): DatabaseSummary | undefined {
  const recorded = resources.map(
    ({ outputs }) => (outputs?.["record"] as { clickhouse?: object } | undefined)?.clickhouse,
  );
  const shared = resources.find(({ type }) => type === CLICKHOUSE_DATABASE)?.outputs;
  const made: Record<string, unknown> | undefined = shared ?? { ...recorded.find((one) => one !== undefined) };
  if (Object.keys(made).length === 0) return undefined;
  return defined<DatabaseSummary>({
    provisioner: text(made["provisioner"]),
    host: text(made["host"]),
    port: number(made["port"]),
    database: text(made["database"]),
    user: text(made["user"]),
    access: made["access"] !== false,
  });
}

/** Removes undefined fields, so that JSON and comparisons don't contain them. */
function defined<T extends object>(fields: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);
const number = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);
