import { ago } from "../../foundation/text/numbers";
import type { Colours } from "../terminal/colours";
import { numbers, table } from "../terminal/table";
import { withAdvice } from "./client";
import type { Lifetime, Notice, Operation } from "./queries";

export const isUnderWay = ({ state }: Operation): boolean => state === "pending" || state === "in_progress";

export const words = (state: string): string => state.replace("_", " ");

/** `1.2 s`; empty for an operation that has not started. */
const duration = (seconds: number | null): string => (seconds === null ? "" : `${seconds.toFixed(1)} s`);

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
    "ID",
    { title: "DEPLOYMENT", least: 12 },
    "KIND",
    "STATUS",
    "STAGE",
    numbers("DURATION"),
    "REQUESTED",
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
  const titles = ["WHEN", "KIND", "LEVEL", { title: "SUBJECT", least: 12 }, { title: "TEXT", least: 24 }];
  return table(titles, rows, columns);
}

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
