import { appendFile, rm } from "node:fs/promises";
import { success, type Context } from "../../context";
import { Failure } from "../../../foundation/errors";
import { GitHub } from "../../github";
import { commentOf, markOf, outdatedText } from "./markdown";
import { outdatedBy } from "../outdated";
import { previewStack } from "../preview";
import { isQuiet, summary, type PreviewReport } from "../report";
import type { DescribedStack } from "../../project/stacks";

export interface ReviewOptions {
  /** Folder of a policy pack; empty for none. */
  readonly policy: string;
  readonly refresh?: boolean;
  /** Names of stateful resources that may be deleted or replaced. */
  readonly allow?: readonly string[];
  /** File for the plan; only written if there are changes and they are permitted. */
  readonly savePlan?: string;
  /** Number of a pull request to comment on. */
  readonly comment?: number;
  /** Another holder of the stack's lock, for the comment. */
  readonly lockedBy?: string;
  /** Whether to write the job summary and the output `changes` of GitHub Actions. */
  readonly githubActions?: boolean;
}

/**
 * Previews a stack for users who decide about its deployment. Throws if the preview fails, or if it deletes state
 * without permission.
 */
export async function review(context: Context, stack: DescribedStack, options: ReviewOptions): Promise<PreviewReport> {
  const { live } = context;
  const { savePlan } = options;
  live.status(`  previewing ${stack.id}`);
  const { ok, text, report } = await previewStack(context, stack, options);
  const outdated = ok ? await outdatedBy(context.runtimes, stack, report.outputs) : [];
  live.end();
  context.print(text.trimEnd());
  if (outdated.length > 0) context.print(`\n${outdatedText(outdated)}`);
  const allowed = new Set(options.allow);
  const comment = commentOf(stack.id, report, allowed, { outdated, lockedBy: options.lockedBy });
  if (options.comment !== undefined) {
    const github = await GitHub.connect();
    await github.comment(options.comment, markOf(`preview:${stack.id}`), comment);
  }
  if (options.githubActions) await reportToJob(comment, report);
  let isKept = false;
  try {
    if (!ok) throw new Failure(`the preview of ${stack.id} failed; why is above. Nothing was changed`);
    stopAtLoss(report, allowed);
    isKept = savePlan !== undefined && !isQuiet(report);
  } finally {
    if (savePlan !== undefined && !isKept) await rm(savePlan, { force: true });
  }
  success(context, `${stack.id}: ${summary(report)}${isKept ? `; the plan is in ${savePlan}` : ""}`);
  return report;
}

/** Throws if a plan deletes state without permission. */
function stopAtLoss({ destructive }: PreviewReport, allowed: ReadonlySet<string>): void {
  const lost = destructive.filter(({ name }) => !allowed.has(name));
  if (lost.length === 0) return;
  const what = lost.map(({ op, type, name }) => `  - ${op} of ${name} (${type})`).join("\n");
  throw new Failure(
    `this deletes what cannot be recovered:\n${what}\nNothing was changed. Pass --allow NAME to permit it.`,
  );
}

async function reportToJob(comment: string, report: PreviewReport): Promise<void> {
  const { GITHUB_STEP_SUMMARY: page, GITHUB_OUTPUT: outputs } = process.env;
  if (!page || !outputs) {
    throw new Failure(
      "--github-actions: found no GITHUB_STEP_SUMMARY and GITHUB_OUTPUT; expected a job of GitHub Actions",
    );
  }
  await appendFile(page, comment);
  await appendFile(outputs, `changes=${!isQuiet(report)}\n`);
}
