import { ago } from "../../foundation/text/numbers";
import type { Colours } from "../terminal/colours";
import { table } from "../terminal/table";
import { withAdvice } from "./client";
import type { Deployment, Lifetime, Notice, Operation, ShownPlan } from "./queries";

const isUnderWay = ({ state }: Operation): boolean => state === "pending" || state === "in_progress";

/** One-word status of a deployment. */
export function deploymentStatus({ lastOperation, runtime, desiredState }: Deployment): string {
  if (lastOperation && isUnderWay(lastOperation)) return `${lastOperation.kind} ${words(lastOperation.state)}`;
  if (lastOperation?.state === "failed") return "failed";
  return desiredState === "absent" ? "absent" : (runtime?.state ?? desiredState);
}

/** Health and drift: `healthy`, `unhealthy, drifted`; empty before the first check. */
const healthOf = ({ health, drift }: Deployment): string =>
  [health?.state, drift && drift.changes.length > 0 ? "drifted" : undefined].filter(Boolean).join(", ");

const words = (state: string): string => state.replace("_", " ");

/** `1.2 s`; empty for an operation that has not started. */
const duration = (seconds: number | null): string => (seconds === null ? "" : `${seconds.toFixed(1)} s`);

export function deploymentTable(deployments: readonly Deployment[], columns?: number, now = new Date()): string {
  const rows = deployments.map((each) => [
    each.id,
    deploymentStatus(each),
    healthOf(each),
    each.desiredConfig.deployment?.version ?? "",
    String(each.desiredConfig.deployment?.slots ?? ""),
    each.provisioner ?? "",
    each.runtime?.host ?? "",
    String(each.revision),
    ago(new Date(each.updatedAt), now),
  ]);
  const titles = [
    { title: "ID", least: 12 },
    { title: "STATUS" },
    { title: "HEALTH" },
    { title: "VERSION", least: 8 },
    { title: "SLOTS", align: "right" as const },
    { title: "PROVISIONER", least: 8 },
    { title: "HOST", least: 16 },
    { title: "REVISION", align: "right" as const },
    { title: "UPDATED" },
  ];
  return table(titles, rows, columns);
}

export function operationTable(operations: readonly Operation[], columns?: number, now = new Date()): string {
  const rows = operations.map((each) => [
    each.id,
    each.deploymentId,
    each.kind,
    words(each.state),
    each.stage ?? "",
    duration(each.durationSeconds),
    ago(new Date(each.requestedAt), now),
    each.requestedBy,
    each.error?.reason ?? "",
  ]);
  const titles = [
    { title: "ID" },
    { title: "DEPLOYMENT", least: 12 },
    { title: "KIND" },
    { title: "STATUS" },
    { title: "STAGE" },
    { title: "DURATION", align: "right" as const },
    { title: "REQUESTED" },
    { title: "BY", least: 8 },
    { title: "REASON", least: 12 },
  ];
  return table(titles, rows, columns);
}

export function noticeTable(notices: readonly Notice[], columns?: number, now = new Date()): string {
  const rows = notices.map(({ at, kind, level, subject, text }) => [
    ago(new Date(at), now),
    kind,
    level,
    subject,
    text,
  ]);
  const titles = [
    { title: "WHEN" },
    { title: "KIND" },
    { title: "LEVEL" },
    { title: "SUBJECT", least: 12 },
    { title: "TEXT", least: 24 },
  ];
  return table(titles, rows, columns);
}

/** Formats a plan: each resource with its differences. */
export function planText({ changes, notes }: ShownPlan): string {
  const lines = changes.flatMap(({ action, type, name, properties }) => [
    `${action} ${type.split(":").at(-1) ?? type} ${name}`,
    ...properties.map(({ path, before, after }) => `    ${path}: ${valueText(before)} → ${valueText(after)}`),
  ]);
  return [...(lines.length > 0 ? lines : ["nothing to do"]), ...notes].join("\n");
}

const valueText = (value: unknown): string =>
  value === null || value === undefined ? "(nothing)" : JSON.stringify(value);

/** Formats what ends a lifetime next. */
export function lifetimeText({ hibernatesAt, deletesAt, stoppedRetention }: Lifetime): string {
  if (hibernatesAt !== null) return `is hibernated at ${hibernatesAt}`;
  if (deletesAt !== null) return `is deprovisioned at ${deletesAt}`;
  return stoppedRetention === null ? "stays" : `is deprovisioned ${stoppedRetention} after a hibernation`;
}

/** Formats the result or the current status of an operation. */
export function operationText(operation: Operation, colours: Colours): string {
  const { id, kind, deploymentId, state, durationSeconds, error } = operation;
  const paint = (text: string): string =>
    state === "succeeded" ? colours.good(text) : state === "failed" ? colours.bad(text) : colours.dim(text);
  const took = duration(durationSeconds);
  const line = `${kind} of ${colours.bold(deploymentId)} ${paint(words(state))}${took === "" ? "" : ` (${took})`}  ${colours.dim(id)}`;
  return error ? `${line}\n  ${withAdvice(error.reason, error.advice).replaceAll("\n", "\n  ")}` : line;
}
