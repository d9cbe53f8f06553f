import type { Context } from "../context";
import { checkedOut } from "./checkout";
import { deployedCommit } from "./deployed";
import { GitHub } from "../github";
import { markOf } from "./review/markdown";
import { previewStack } from "./preview";
import { summary, type PreviewReport } from "./report";
import { describedStack, type DescribedStack } from "../project/stacks";
import { Failure } from "../../foundation/errors";
import { UNKNOWN_TO_USER } from "../../foundation/text/unknown";
import type { DriftFlags } from "./options";

interface Found {
  readonly stack: string;
  readonly report: PreviewReport;
  /** Note about the checkout; undefined if it is the one that the stack was deployed from. */
  readonly note?: string | undefined;
}

export async function drift(context: Context, ids: readonly string[], { issue }: DriftFlags): Promise<void> {
  const { live, colours } = context;
  // Connected first, so that a missing permission does not surface only after a long check.
  const github = issue ? await GitHub.connect() : undefined;
  const stacks = await Promise.all(ids.map((id) => describedStack(context.root, id)));
  const drifted: Found[] = [];
  for (const stack of stacks) {
    live.status(`  looking at ${stack.id}`);
    const { report } = await previewStack(context, stack, { refresh: true, policy: "" });
    const isAsLeft = report.changes.length === 0 && report.errors.length === 0;
    const found = { stack: stack.id, report, note: isAsLeft ? undefined : await otherCommit(context, stack) };
    if (!isAsLeft) drifted.push(found);
    live.line(isAsLeft ? `${colours.good("✓")} ${stack.id} has no drift` : driftText(found));
    for (const each of unknownIn(report)) live.line(`  ${colours.warn(each)}`);
  }
  live.end();
  const names = drifted.map(({ stack }) => stack).join(", ");
  await github?.issue(markOf("drift"), `Drift: ${names}`, drifted.length === 0 ? undefined : issueBody(drifted));
  if (drifted.length > 0) throw new Failure(`${drifted.length} of ${stacks.length} stacks have drift`);
}

/** What the user could not compare, each once. */
const unknownIn = ({ warnings }: PreviewReport): ReadonlySet<string> =>
  new Set(warnings.filter((each) => each.includes(UNKNOWN_TO_USER)));

/** A preview does not distinguish drift from changes in the checkout, so a note warns about a different commit. */
async function otherCommit(context: Context, stack: DescribedStack): Promise<string | undefined> {
  const [deployed, here] = await Promise.all([deployedCommit(context, stack), checkedOut(context.root)]);
  if (deployed === undefined) return undefined;
  const [from, to] = [deployed.commit.slice(0, 12), here.commit.slice(0, 12)];
  if (from !== to) return `deployed from ${from}, and ${to} is checked out: what differs between them is listed too`;
  if (deployed.isDirty || here.isDirty) return `deployed from ${from}, and files that no commit has are listed too`;
  return undefined;
}

/** Lists all drift, even if a part of it can't be restored. */
function driftText({ stack, report, note }: Found): string {
  const { changes, errors } = report;
  const lines = changes.map(
    ({ op, type, name, paths }) => `  - ${op} ${name} (${type})${paths.length > 0 ? `: ${paths.join(", ")}` : ""}`,
  );
  const drifted = changes.length === 0 ? [] : [`${stack}: ${summary(report)} to remove the drift`, ...lines];
  const failed = errors.length === 0 ? [] : [`${stack}: errors of the preview:`, ...errors];
  return [...drifted, ...failed, ...(note === undefined ? [] : [`  ${note}`])].join("\n");
}

function issueBody(drifted: readonly Found[]): string {
  const parts = drifted.map((found) => ["```", driftText(found).replaceAll("```", "'''"), "```"].join("\n"));
  const end = "`pulumi up --refresh` restores the config's values; to keep the present ones, add them to the config.";
  return [markOf("drift"), ...parts, end].join("\n\n");
}
