import type { Outcome } from "../resources/outcome";

/** Summarizes the outcomes of one update in a table. Pure. */

export interface Instance {
  readonly name: string;
  readonly bundle: string;
  readonly version: string;
  readonly outcome: Outcome | undefined;
}

interface Reported {
  readonly text: string;
  /** False if the update changed nothing, so that it prints no table. */
  readonly isNews: boolean;
  readonly hasFailed: boolean;
}

interface Run {
  /** Start of the update, in milliseconds since 1970. */
  readonly since: number;
  readonly preview: boolean;
}

/**
 * The failed instances that block dependents of an instance: itself, or those that caused it to be skipped. Empty if it
 * succeeded.
 */
export const blockedBy = (name: string, outcome: Outcome | undefined): readonly string[] =>
  outcome?.failure === undefined ? [] : (outcome.because ?? [name]);

export function reportOutcomes(instances: readonly Instance[], run: Run): Reported {
  const rows = instances.map((one) => ({ ...one, status: statusOf(one.outcome, run) }));
  const hasFailed = rows.some(({ status }) => status === "failed" || status === "skipped");
  const counts = STATUSES.flatMap((status) => {
    const count = rows.filter((row) => row.status === status).length;
    return count === 0 ? [] : [`${count} ${words(status, run)}`];
  });
  const lines = rows.map(({ name, bundle, version, status, outcome }) => [
    name,
    `${bundle} ${version}`,
    detailOf(words(status, run), outcome),
  ]);
  return {
    text: [`instances of bundles: ${counts.join(", ")}`, ...columns(lines)].join("\n"),
    isNews: rows.some(({ status }) => status !== "unchanged"),
    hasFailed,
  };
}

const STATUSES = ["failed", "skipped", "applied", "unchanged"] as const;
type Status = (typeof STATUSES)[number];

function statusOf(outcome: Outcome | undefined, { since }: Run): Status {
  if (outcome?.because !== undefined) return "skipped";
  if (outcome?.failure !== undefined) return "failed";
  return (outcome?.settledAt ?? 0) >= since ? "applied" : "unchanged";
}

const words = (status: Status, { preview }: Run): string =>
  preview && status === "applied" ? "to be applied" : status;

/** Only the first line: the whole error is printed beside the instance. */
function detailOf(status: string, outcome: Outcome | undefined): string {
  if (outcome?.because !== undefined) return `${status}, because ${outcome.because.join(", ")} failed`;
  const [first = ""] = outcome?.failure?.split("\n") ?? [];
  return first === "" ? status : `${status}: ${first}`;
}

function columns(lines: readonly string[][]): string[] {
  const width = (index: number): number => Math.max(...lines.map((line) => line[index]?.length ?? 0));
  const [first, second] = [width(0), width(1)];
  return lines.map(([name = "", bundle = "", rest]) => `  ${name.padEnd(first)}  ${bundle.padEnd(second)}  ${rest}`);
}
