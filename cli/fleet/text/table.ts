import { ago } from "../../../foundation/text/numbers";
import { table, type Column } from "../../terminal/table";
import type { Summary } from "../summary";

interface Field extends Column {
  readonly text: (summary: Summary, now: Date) => string;
}

const changed = ({ change, updated }: Summary, now: Date): string => {
  const then = change === undefined ? updated : new Date(change.at);
  return then === undefined ? "-" : ago(then, now);
};

/** `dev` for a stack of the default platform project. */
const shortPlatform = ({ platform = "-" }: Summary): string => platform.replace(/^organization\/stackyard\//, "");

const FIELDS: readonly Field[] = [
  { title: "ID", least: 10, text: ({ id }) => id },
  { title: "STATE", least: 17, text: ({ state, outdated }) => (outdated === true ? `${state}, outdated` : state) },
  { title: "VERSION", least: 7, text: ({ version = "-" }) => version },
  { title: "SLOTS", align: "right", text: ({ slots }) => (slots === undefined ? "-" : String(slots)) },
  { title: "ENV", least: 4, text: ({ environment = "-" }) => environment },
  { title: "PROVISIONER", least: 8, text: ({ provisioner = "-" }) => provisioner },
  { title: "PLATFORM", least: 8, text: shortPlatform },
  { title: "CHANGED", text: changed },
];

const WIDE: readonly Field[] = [
  { title: "BY", text: ({ change }) => change?.command ?? "-" },
  { title: "HOST", text: ({ host = "-" }) => host },
  { title: "REASON", text: ({ reason = "" }) => reason },
];

interface TableOptions {
  /** Width of the terminal, to which columns are cut. Default: unlimited. */
  readonly columns?: number;
  /** Show all columns, uncut. */
  readonly wide?: boolean;
  readonly now?: Date;
}

/** One line per runtime. */
export function fleetTable(
  runtimes: readonly Summary[],
  { columns, wide, now = new Date() }: TableOptions = {},
): string {
  const fields = wide === true ? [...FIELDS, ...WIDE] : FIELDS;
  const rows = runtimes.map((runtime) => fields.map(({ text }) => text(runtime, now)));
  return table(fields, rows, wide === true ? Infinity : columns);
}

/** One line about problems of the runtimes in the table; undefined if there are none. */
export function attentionLine(runtimes: readonly Summary[]): string | undefined {
  const number = (is: (summary: Summary) => boolean) => runtimes.filter(is).length;
  const failed = number(({ state }) => state === "failed");
  const unfinished = number(({ state }) => state === "pending" || state === "incomplete");
  const outdated = number((summary) => summary.outdated === true);
  const parts = [
    failed > 0 ? `${failed} failed` : "",
    unfinished > 0 ? `${unfinished} not finished` : "",
    outdated > 0 ? `${outdated} outdated` : "",
  ].filter((part) => part !== "");
  if (parts.length === 0) return undefined;
  const hints = [
    failed + unfinished > 0 ? `"stackyard runtime status ID" gives the reason` : "",
    outdated > 0 ? `"stackyard runtime up --outdated" updates them` : "",
  ];
  return `${parts.join(", ")}; ${hints.filter((hint) => hint !== "").join(", ")}`;
}
