import type { PoolUsage } from "../../../provider/ledger/usage";
import type { ObjectStatus } from "../../../kubernetes/ready/status";
import type { ResourceState, StackState } from "../../../engine/pulumi/state/checkpoint";
import { count } from "../../../foundation/text/numbers";
import type { Summary } from "../summary";

/** A problem of a runtime. */
export interface Problem {
  /**
   * Source of the problem: the state itself, its provisioner's revision, the ledger, the cluster, the ClickHouse
   * server, the ping; `unknown`: no answer.
   */
  readonly kind: "state" | "outdated" | "ledger" | "cluster" | "clickhouse" | "ping" | "orphan" | "unknown";
  readonly text: string;
}

/** Problems that the state of a runtime shows. */
export function stateProblems({ id, state, reason, outdated }: Summary): Problem[] {
  const problems: Problem[] = [];
  if (reason !== undefined) problems.push({ kind: "state", text: `${state}: ${reason}` });
  if (outdated === true) {
    const text = `its provisioner has changed since; update it with: stackyard runtime up ${id}`;
    problems.push({ kind: "outdated", text });
  }
  return problems;
}

const isAllocation = ({ type, delete: left }: ResourceState): boolean =>
  type === "stackyard:index:SlotAllocation" && left !== true;

/** Checks that the ledger has the slots in the state of a runtime. */
export function ledgerProblems({ resources }: StackState, pools: readonly PoolUsage[]): Problem[] {
  return resources.filter(isAllocation).flatMap(({ inputs = {}, outputs = {} }): Problem[] => {
    const { pool, deployment, slots } = inputs;
    const host = outputs["host"];
    const held = holdings(pools, pool, deployment);
    const expected = `the state has ${words(slots, host)} of pool ${String(pool)}`;
    if (held.length === 0) return [{ kind: "ledger", text: `${expected}; the ledger has none` }];
    if (held.length === 1 && held[0]?.slots === slots && held[0]?.host === host) return [];
    const found = held.map((one) => words(one.slots, one.host)).join(", ");
    return [{ kind: "ledger", text: `${expected}; the ledger has ${found}` }];
  });
}

function holdings(pools: readonly PoolUsage[], pool: unknown, deployment: unknown) {
  const hosts = pools.find((one) => one.pool === pool)?.hosts ?? [];
  return hosts.flatMap(({ host, deployments }) =>
    deployments.filter((one) => one.deployment === deployment).map(({ slots }) => ({ host, slots })),
  );
}

const words = (slots: unknown, host: unknown): string => `${count(Number(slots), "slot")} on ${String(host)}`;

/** Objects that are missing or not ready, with the reasons, and the command that restores them. */
export function clusterProblems(objects: readonly ObjectStatus[], id: string): Problem[] {
  const texts = objects.flatMap(({ object, state, detail, lines }) =>
    state === "ready" ? [] : [[`${object}: ${detail}`, ...lines].join("\n")],
  );
  return [...texts, ...restoredBy(objects, id)].map((text): Problem => ({ kind: "cluster", text }));
}

/** Nothing if an update would be refused: then the findings say what to do. */
export function restoredBy(objects: readonly ObjectStatus[], id: string): string[] {
  const findings = objects.flatMap((object) => object.findings);
  const isRestored = findings.length > 0 && findings.every(({ repairable }) => repairable);
  return isRestored ? [`what differs is restored by: stackyard runtime up ${id}`] : [];
}
