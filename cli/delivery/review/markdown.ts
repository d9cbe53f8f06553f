import { count } from "../../../foundation/text/numbers";
import { summary, TAKES_AWAY, type Change, type PreviewReport } from "../report";

/** Limits in bytes: GitHub takes 65,536 characters in a comment, and 1 MiB in the summary of a job. */
export const LIMITS = { comment: 64_000, job: 1_000_000, file: Infinity } as const;

const MOST_PATHS = 5;
/** Characters of the values of one change, where space is limited. */
const MOST_VALUES = 6_000;
/** Bytes kept free for the last line. */
const LAST_LINE = 400;

/** Mark by which the comment of a stack is found. */
export const markOf = (what: string): string => `<!-- stackyard:${what} -->`;

const cell = (text: string): string => text.replaceAll("|", "\\|").replace(/\s*\n\s*/g, " ");
const code = (text: string): string => `\`${text.replaceAll("`", "'")}\``;
const html = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/\s*\n\s*/g, " ");
const fenced = (kind: string, lines: readonly string[]): string[] => [
  `\`\`\`${kind}`,
  ...lines.map((line) => line.replaceAll("```", "'''")),
  "```",
];

function some(texts: readonly string[]): string {
  const more = texts.length > MOST_PATHS ? ` and ${texts.length - MOST_PATHS} more` : "";
  return texts.slice(0, MOST_PATHS).join(", ") + more;
}

const titleOf = ({ op, type, name, paths }: Change): string => {
  const differs = paths.length > 0 ? `: ${html(some(paths))}` : "";
  return `${op} <code>${html(type)}</code> <code>${html(name)}</code>${differs}`;
};

/** A change with its values, folded. */
function folded(change: Change, most: number): string {
  const { words, lines } = change.values;
  let [size, end] = [0, 0];
  while (end < lines.length && (size += lines[end]!.length + 1) <= most) end++;
  const rest = lines.length - end;
  const cut = rest > 0 ? [`… and ${count(rest, "more line")}`] : [];
  const values = lines.length > 0 ? fenced("diff", [...lines.slice(0, end), ...cut]) : [];
  const said = words.map((each) => `- ${html(each.length > most ? `${each.slice(0, most)} …` : each)}`);
  if (said.length + values.length === 0) return `- ${titleOf(change)}`;
  const both = said.length > 0 && values.length > 0 ? [""] : [];
  const body = [...said, ...both, ...values];
  return ["<details>", `<summary>${titleOf(change)}</summary>`, "", ...body, "</details>"].join("\n");
}

/** Text about the runtimes that are still to be updated after the platform. */
export function outdatedText(ids: readonly string[]): string {
  return (
    `${count(ids.length, "runtime")} will be outdated: ${some(ids)}. Roll them out after the update: ` +
    "stackyard runtime up --outdated --wave 1,10%,50%"
  );
}

interface Notes {
  /** Runtimes that the update makes outdated. */
  readonly outdated?: readonly string[];
  /** Another holder of the stack's lock. */
  readonly lockedBy?: string | undefined;
  /** Most bytes. */
  readonly limit?: number;
  /** Where all changes with all values are. */
  readonly attachment?: string | undefined;
}

/** Builds the text about a preview for reviewers: for a comment, the summary of a job, or a file. Pure. */
export function commentOf(
  stack: string,
  report: PreviewReport,
  allowed: ReadonlySet<string>,
  { outdated = [], lockedBy, limit = LIMITS.comment, attachment }: Notes = {},
): string {
  const { changes, destructive, violations, errors } = report;
  const lines = [markOf(`preview:${stack}`), `### ${code(stack)}: ${errors.length > 0 ? "failed" : summary(report)}`];
  for (const { op, type, name } of destructive) {
    const verdict = allowed.has(name) ? "allowed" : `**stopped**; allow it with ${code(`--allow ${name}`)}`;
    lines.push("", `⚠️ ${op} of ${code(type)} ${code(name)} deletes unrecoverable resources: ${verdict}`);
  }
  if (lockedBy !== undefined && changes.length > 0) lines.push("", `🔒 ${lockedBy}`);
  if (outdated.length > 0) lines.push("", outdatedText(outdated));
  for (const error of errors) lines.push("", ...fenced("", [error]));
  if (violations.length > 0) {
    lines.push("", "| policy | resource | what is wrong |", "| --- | --- | --- |");
    for (const { policy, resource, message, isMandatory } of violations) {
      lines.push(`| ${policy}${isMandatory ? "" : " (advice)"} | ${code(resource)} | ${cell(message)} |`);
    }
  }
  return within(lines, changes, limit, attachment);
}

/** Adds the changes, those that take something away first: with their values while there is space, then without. */
function within(
  head: readonly string[],
  changes: readonly Change[],
  limit: number,
  attachment: string | undefined,
): string {
  const room = limit - LAST_LINE;
  let text = `${head.join("\n")}\n`;
  let size = Buffer.byteLength(text);
  const add = (part: string): boolean => {
    const bytes = Buffer.byteLength(part);
    if (size + bytes > room) return false;
    text += part;
    size += bytes;
    return true;
  };
  const order = ({ op }: Change): number => Number(!TAKES_AWAY.has(op));
  const most = limit === LIMITS.file ? Infinity : MOST_VALUES;
  let [bare, left] = [0, 0];
  for (const change of [...changes].sort((a, b) => order(a) - order(b))) {
    if (bare === 0 && add(`\n${folded(change, most)}\n`)) continue;
    bare++;
    if (left > 0 || !add(`\n- ${titleOf(change)}\n`)) left++;
  }
  const where = attachment === undefined ? "" : `; all of them with their values: ${attachment}`;
  if (bare > 0)
    text += `\n${count(bare, "change")} without values${left > 0 ? `, ${left} of them not listed` : ""}, for lack of space${where}\n`; // prettier-ignore
  else if (attachment !== undefined && changes.length > 0) text += `\nAll values in full: ${attachment}\n`;
  return text;
}
