import { existsSync } from "node:fs";
import { appendFile, rm, writeFile } from "node:fs/promises";
import { provisionerOf, readRuntimes } from "../../../engine/runtime/list";
import { recordInState } from "../../../engine/runtime/request/recorded";
import { PLATFORM_PROJECT } from "../../../engine/stack/names";
import type { Workspace } from "../../../foundation/pulumi/backend";
import { success, type Context } from "../../context";
import { Failure } from "../../../foundation/errors";
import { currentRevisions } from "../../fleet/platforms";
import { summarise, type FoundRuntime } from "../../fleet/summary";
import { GitHub } from "../../github";
import { commentOf, LIMITS, markOf, outdatedText } from "./markdown";
import { previewStack } from "../preview";
import { isQuiet, summary, type PreviewReport, type Outputs } from "../report";
import type { DescribedStack } from "../../project/stacks";

/** Returns the ids of runtimes that an update of a platform would make outdated, in the order of the state. */
async function outdatedBy(
  workspace: Workspace,
  stack: DescribedStack,
  outputs: Outputs | undefined,
): Promise<string[]> {
  // A repository without runtimes has no project of theirs.
  if (stack.project !== PLATFORM_PROJECT || outputs === undefined || !existsSync(workspace.folder)) return [];
  const runtimes = await readRuntimes(workspace);
  const found = runtimes.map((state) => ({ state, record: recordInState(state), provisioner: provisionerOf(state) }));
  return outdatedAmong(found, stack.name, outputs);
}

/** Returns the ids of runtimes that the changed outputs of a platform make outdated. Pure. */
export function outdatedAmong(
  runtimes: readonly FoundRuntime[],
  platform: string,
  { before, after }: Outputs,
): string[] {
  return runtimes.flatMap((found) => {
    const reference = found.record?.platform;
    if (!reference?.endsWith(`/${PLATFORM_PROJECT}/${platform}`)) return [];
    const isOutdated = (outputs: Outputs["before"]): boolean | undefined =>
      summarise(found, new Map([[reference, currentRevisions(outputs)]])).outdated;
    return isOutdated(after) === true && isOutdated(before) !== true ? [found.state.name] : [];
  });
}

export interface ReviewOptions {
  /** Folder of a policy pack; empty for none. */
  readonly policy: string;
  readonly refresh?: boolean;
  /** Names of stateful resources that may be deleted or replaced. */
  readonly allow?: readonly string[];
  /** File for the plan; only written if there are changes and they are permitted. */
  readonly savePlan?: string;
  /** File for all changes with all values. */
  readonly saveChanges?: string;
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
  const notes = { outdated, lockedBy: options.lockedBy };
  const { saveChanges } = options;
  if (saveChanges !== undefined)
    await writeFile(saveChanges, commentOf(stack.id, report, allowed, { ...notes, limit: LIMITS.file }));
  const attachment = saveChanges === undefined ? undefined : runOfJob();
  const page = (limit: number): string => commentOf(stack.id, report, allowed, { ...notes, attachment, limit });
  if (options.comment !== undefined) {
    const github = await GitHub.connect();
    await github.comment(options.comment, markOf(`preview:${stack.id}`), page(LIMITS.comment));
  }
  if (options.githubActions) await reportToJob(page(LIMITS.job), report);
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

/** The run of a job, whose attachments are listed on its page; undefined outside of GitHub Actions. */
function runOfJob(): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = process.env;
  return server && repository && run
    ? `[attachment of the run](${server}/${repository}/actions/runs/${run})`
    : undefined;
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
