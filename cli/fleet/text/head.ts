import { ago } from "../../../foundation/text/numbers";
import type { DatabaseSummary, State, Summary } from "./summary";

const WORDS: Readonly<Record<State, string>> = {
  running: "is running",
  hibernated: "is hibernated",
  failed: "has failed",
  pending: "is pending",
  incomplete: "is incomplete",
};

/** How a runtime is, why, and what was asked for, as the first lines of its status. */
export function headLines(summary: Summary, now: Date): string[] {
  const { id, state, outdated, reason, version, slots, environment, platform, clickhouse, change } = summary;
  const rows: [string, string | undefined][] = [
    ["version", version],
    ["slots", slots === undefined ? undefined : String(slots)],
    ["environment", environment],
    ["platform", platform],
    ["clickhouse", clickhouse && databaseText(clickhouse)],
    ["changed", change && `${ago(new Date(change.at), now)} ago by ${change.command} (${change.at})`],
    [
      "outdated",
      outdated === true ? `its provisioner has changed; update it with: stackyard runtime up ${id}` : undefined,
    ],
  ];
  return [
    `${id} ${WORDS[state]}${outdated === true ? ", outdated" : ""}`,
    ...(reason === undefined ? [] : reason.split("\n").map((line) => `  ${line}`)),
    ...rows.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name.padEnd(11)}  ${value}`])),
  ];
}

function databaseText({ database, host, port, provisioner, access }: DatabaseSummary): string {
  const place = host === undefined ? "" : ` on ${host}:${port}`;
  const by = provisioner === undefined ? "" : ` (${provisioner})`;
  return `database ${database}${place}${by}${access ? "" : "; without a user"}`;
}
