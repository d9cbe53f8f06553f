import type { RuntimeRecord } from "../../components/runtime/record/record";
import { databaseOf, type DatabaseSummary } from "../../engine/runtime/database";
import { isOutdated, usedRevisions } from "../../engine/runtime/outdated";
import type { ResourceState, StackState } from "../../engine/pulumi/state/checkpoint";
import { count } from "../../foundation/text/numbers";
import { summariseCluster, type ClusterSummary } from "./clusterSummary";
import type { Platforms } from "./platforms";
import { withoutUndefined } from "../../foundation/json/withoutUndefined";
import { asNumber, asText } from "../../foundation/json/scalars";

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
  const name = record?.provisioner ?? provisioner ?? asText(outputs["provisioner"]);
  const facts = platform === undefined ? undefined : platforms?.get(platform);
  const clickhouse = databaseOf(resources);
  const cluster = summariseCluster(resources, record);
  return withoutUndefined<Summary>({
    id: stack.name,
    ...condition(stack, deployment?.state),
    outdated: facts && isOutdated(usedRevisions(stack, record), facts),
    // A cluster that uses its provisioner's defaults was requested without a version.
    version: cluster?.kymaVersion ?? cluster?.kubernetesVersion ?? deployment?.version,
    slots: deployment?.slots ?? slotsOf(resources),
    environment: deployment?.environment,
    platform,
    provisioner: name,
    host: asText(outputs["host"]),
    clickhouse,
    cpu: asNumber(outputs["cpu"]),
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
  const last = asText(outputs["state"]);
  if (last !== "running" && last !== "hibernated") {
    return { state: "incomplete", reason: "its last operation did not come to its end" };
  }
  return { state: wanted ?? last };
}

function slotsOf(resources: readonly ResourceState[]): number | undefined {
  const allocation = resources.find(({ type }) => type === "stackyard:index:SlotAllocation");
  return asNumber(allocation?.inputs?.["slots"]);
}
