import { count } from "../../../foundation/text/numbers";
import { summary, type Change, type PreviewReport } from "../report";

/** GitHub's limit is 65,536 characters. */
const MOST_ROWS = 100;
const MOST_PATHS = 5;

/** Mark by which the comment of a stack is found. */
export const markOf = (what: string): string => `<!-- stackyard:${what} -->`;

const cell = (text: string): string => text.replaceAll("|", "\\|").replace(/\s*\n\s*/g, " ");
const code = (text: string): string => `\`${text.replaceAll("`", "'")}\``;

function row({ op, type, name, paths }: Change): string {
  const shown = paths.slice(0, MOST_PATHS).map(code).join(", ");
  const more = paths.length > MOST_PATHS ? ` and ${paths.length - MOST_PATHS} more` : "";
  return `| ${op} | ${code(type)} | ${code(name)} | ${cell(shown + more)} |`;
}

/** Text about the runtimes that are still to be updated after the platform. */
export function outdatedText(ids: readonly string[]): string {
  const shown = ids.slice(0, MOST_PATHS).join(", ");
  const more = ids.length > MOST_PATHS ? ` and ${ids.length - MOST_PATHS} more` : "";
  return (
    `${count(ids.length, "runtime")} will be outdated: ${shown}${more}. Roll them out after the update: ` +
    "stackyard runtime up --outdated --wave 1,10%,50%"
  );
}

interface Notes {
  /** Runtimes that the update makes outdated. */
  readonly outdated?: readonly string[];
  /** Another holder of the stack's lock. */
  readonly lockedBy?: string | undefined;
}

/** Builds the GitHub comment about a preview. Pure. */
export function commentOf(
  stack: string,
  report: PreviewReport,
  allowed: ReadonlySet<string>,
  { outdated = [], lockedBy }: Notes = {},
): string {
  const { changes, destructive, violations, errors } = report;
  const lines = [markOf(`preview:${stack}`), `### ${code(stack)}: ${errors.length > 0 ? "failed" : summary(report)}`];
  for (const { op, type, name } of destructive) {
    const verdict = allowed.has(name) ? "allowed" : `**stopped**; allow it with ${code(`--allow ${name}`)}`;
    lines.push("", `⚠️ ${op} of ${code(type)} ${code(name)} deletes unrecoverable resources: ${verdict}`);
  }
  if (lockedBy !== undefined && changes.length > 0) lines.push("", `🔒 ${lockedBy}`);
  if (outdated.length > 0) lines.push("", outdatedText(outdated));
  if (errors.length > 0) lines.push("", ...errors.flatMap((error) => ["```", error.replaceAll("```", "'''"), "```"]));
  if (violations.length > 0) {
    lines.push("", "| policy | resource | what is wrong |", "| --- | --- | --- |");
    for (const { policy, resource, message, isMandatory } of violations) {
      lines.push(`| ${policy}${isMandatory ? "" : " (advice)"} | ${code(resource)} | ${cell(message)} |`);
    }
  }
  if (changes.length > 0) {
    lines.push("", "| | type | name | what differs |", "| --- | --- | --- | --- |");
    lines.push(...changes.slice(0, MOST_ROWS).map(row));
    if (changes.length > MOST_ROWS) lines.push("", `and ${changes.length - MOST_ROWS} more`);
  }
  return `${lines.join("\n")}\n`;
}
