import { ago } from "../../../foundation/text/numbers";
import { nodesText, type ClusterSummary } from "../clusterSummary";
import type { DatabaseSummary } from "../../../engine/runtime/database";
import type { State, Summary } from "../summary";

const WORDS: Readonly<Record<State, string>> = {
  running: "is running",
  hibernated: "is hibernated",
  failed: "has failed",
  pending: "is pending",
  incomplete: "is incomplete",
};

type Row = [string, string | undefined];

const row = (name: string, value: string | undefined): Row => [name, value];

const clusterRows = (cluster: ClusterSummary): Row[] => [
  ["kubernetes", cluster.kubernetesVersion],
  ["kyma", cluster.kymaVersion],
  ["region", cluster.region],
  ["nodes", nodesText(cluster)],
];

/** The first lines of a runtime's status: its state, the reason, and what was requested. */
export function headLines(summary: Summary, now: Date): string[] {
  const { id, state, outdated, reason, version, slots, environment, platform, clickhouse, cluster, change } = summary;
  const rows: Row[] = [
    ...(cluster === undefined
      ? [row("version", version), row("slots", slots === undefined ? undefined : String(slots))]
      : clusterRows(cluster)),
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
