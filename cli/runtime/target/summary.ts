import type { DetailedDeployment, Deployment, WholeDeployment } from "../../service/queries";
import { isUnderWay, words } from "../../service/text";
import type { SetCondition } from "../../../engine/runtime/contents";
import { count } from "../../../foundation/text/numbers";
import type { Checked } from "../../fleet/check";
import type { State } from "../../fleet/summary";
import { stateProblems, type Problem } from "../../fleet/text/problems";
import type { Listed, Status } from "./target";
import { asNumber, asText } from "../../../foundation/json/scalars";

/** Summarises a deployment of a service like the state of its stack. Pure. */
export function listedOf(deployment: Deployment & Partial<DetailedDeployment>): Listed {
  const { id, config, runtime, platform, provisioner, lastOperation, updatedAt } = deployment;
  const { tenant, stack, revision, protected: isProtected, health, drift, lifetime } = deployment;
  return {
    id,
    ...conditionOf(deployment),
    ...given({
      outdated: deployment.outdated,
      version: config.version,
      slots: config.slots,
      environment: config.environment ?? "prod",
    }),
    ...given({ platform, provisioner, host: asText(runtime?.["host"]), cpu: asNumber(runtime?.["cpu"]) }),
    ...(lastOperation && { change: { command: `service ${lastOperation.kind}`, at: lastOperation.requestedAt } }),
    updated: new Date(updatedAt),
    service: {
      tenant,
      stack,
      revision,
      protected: isProtected,
      health,
      drift,
      ...(lifetime !== undefined && { lifetime }),
      lastOperation,
    },
  };
}

/** With the runtime's outputs and contents. */
export const statusOf = ({ contents, ...deployment }: WholeDeployment): Status => ({
  ...listedOf(deployment),
  outputs: given(deployment.runtime ?? {}),
  consistsOf: contents?.consistsOf ?? [],
  conditions: (contents?.conditions ?? []).map((condition) => given(condition) as unknown as SetCondition),
});

/** The problems that the service found when it last looked. Pure. */
export function checkedOf({ service, ...summary }: Listed): Checked {
  const problems: Problem[] = stateProblems(summary);
  const { health, drift } = service ?? {};
  if (health?.state === "unhealthy") problems.push({ kind: "cluster", text: health.reason ?? "it is not healthy" });
  if (health?.state === "unknown") problems.push({ kind: "unknown", text: health.reason ?? "it was not checked yet" });
  const number = drift?.changes.length ?? 0;
  if (number > 0)
    problems.push({ kind: "cluster", text: `${count(number, "change")} would restore what was requested` });
  if (drift?.error) problems.push({ kind: "unknown", text: `drift was not detected: ${drift.error}` });
  return { id: summary.id, ok: problems.length === 0, problems };
}

function conditionOf({ lastOperation, runtime, desiredState }: Deployment): { state: State; reason?: string } {
  if (lastOperation && isUnderWay(lastOperation)) {
    const { kind, state, message, id } = lastOperation;
    return { state: "pending", reason: `${kind} ${words(state)}: ${message ?? ""} (operation ${id})` };
  }
  if (lastOperation?.state === "failed") return { state: "failed", reason: lastOperation.error?.reason ?? "" };
  const state = runtime?.["state"] ?? desiredState;
  if (runtime !== null && (state === "running" || state === "hibernated")) return { state };
  return { state: "incomplete", reason: `${lastOperation?.kind ?? "provision"} ${lastOperation?.state ?? "pending"}` };
}

/** Without fields that have no value, as in the summary of a state. */
function given<Fields extends object>(fields: Fields): { [Key in keyof Fields]?: NonNullable<Fields[Key]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)) as {
    [Key in keyof Fields]?: NonNullable<Fields[Key]>;
  };
}
