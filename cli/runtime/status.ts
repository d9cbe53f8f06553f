import type { DatabaseSummary } from "../../engine/runtime/database";
import type { Context } from "../context";
import { Failure } from "../../foundation/errors";
import { count, ago } from "../../foundation/text/numbers";
import { nodesText, type ClusterSummary } from "../fleet/clusterSummary";
import type { State, Summary } from "../fleet/summary";
import { lifetimeText, operationText } from "../service/text";
import { outputLines } from "./text/result";
import { deploymentId } from "../../engine/stack/names";
import { structured, type OutputOptions } from "../options/output";
import type { TargetOptions } from "./options";
import { runtimeTarget } from "./target/choose";
import type { Status } from "./target/target";
import type { SetCondition } from "../../engine/runtime/contents";
import type { ObjectStatus } from "../../kubernetes/ready/status";
import type { Colours } from "../terminal/colours";
import { restoredBy } from "../fleet/text/problems";

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
  ["kyma", cluster.kymaVersion ?? cluster.kymaModules],
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

function sign(state: ObjectStatus["state"], colours: Colours): string {
  if (state === "ready") return colours.good("✓");
  return state === "waiting" ? colours.warn("…") : colours.bad("✗");
}

/** One line per object, followed by its pods, claims and problems. */
function conditionLines(condition: SetCondition, id: string, colours: Colours): string[] {
  if ("elsewhere" in condition) return [`  ${colours.bad("✗")} ${condition.elsewhere}`];
  if ("unknown" in condition) return [`  ${colours.bad("?")} the cluster did not answer: ${condition.unknown}`];
  const lines = condition.objects.flatMap(({ object, state, detail, lines: more }) => {
    return [`  ${sign(state, colours)} ${object}  ${colours.dim(detail)}`, ...more.map((line) => `      ${line}`)];
  });
  return [...lines, ...restoredBy(condition.objects, id)];
}

/** Prints a runtime's request, outputs, resources, and the current state of its objects. */
export async function status(context: Context, id: string, options: OutputOptions & TargetOptions): Promise<void> {
  const target = await runtimeTarget(context, options);
  const found = await target.status(deploymentId(id));
  if (!found) throw new Failure(`there is no runtime ${id}; "stackyard runtime list" shows those there are`);
  const { outputs, consistsOf, conditions } = found;
  const printed = structured(found, options);
  if (printed !== undefined) return context.print(printed);
  const objects = conditions.flatMap((condition) => conditionLines(condition, id, context.colours));
  const list = objects.length > 0 ? objects : consistsOf.map((part) => `  ${part}`);
  const heading = list.length > 0 ? ["consists of"] : [];
  const lines = [...headLines(found, new Date()), ...outputLines(outputs), ...serviceLines(context, found)];
  context.print([...lines, ...heading, ...list].join("\n"));
}

/** What the service knows besides. */
function serviceLines({ colours }: Context, { id, service }: Status): string[] {
  if (!service) return [];
  const { revision, stack, health, drift, lifetime, lastOperation } = service;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["revision", `${revision}${service.protected ? ", protected" : ""}`],
    ["stack", stack === id ? undefined : stack],
    ["health", health ? [health.state, health.reason].filter(Boolean).join(": ") : undefined],
    ["drift", drift ? (drift.error ?? count(drift.changes.length, "change")) : undefined],
    ["lifetime", lifetime ? lifetimeText(lifetime) : undefined],
  ];
  const known = rows.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name.padEnd(11)}  ${value}`]));
  return lastOperation ? [...known, operationText(lastOperation, colours)] : known;
}
