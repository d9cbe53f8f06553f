import * as path from "node:path";
import type { Context } from "../context";
import { checkedOut } from "./checkout";
import { deployedCommit, outputsOf, updatesOf } from "./deployed";
import { differencesBetween, type StackDifference } from "./differences";
import { previewStack } from "./preview";
import { isQuiet } from "./report";
import { review } from "./review/review";
import { describedStack, workspaceOf, type DescribedStack } from "../project/stacks";
import { refuseOthers, releaseDeployed } from "../lock/guard";
import { pulumiVisibly } from "../stack/visible";
import { Failure, UsageError } from "../../foundation/errors";
import { confirm } from "../terminal/ask";
import { table } from "../terminal/table";
import type { PromoteFlags } from "./options";

export async function promote(context: Context, fromId: string, toId: string, flags: PromoteFlags): Promise<void> {
  const { root, live, colours } = context;
  const [from, to] = await Promise.all([describedStack(root, fromId), describedStack(root, toId)]);
  if (flags.plan !== undefined && flags.savePlan !== undefined) {
    throw new UsageError("found --plan and --save-plan; expected one of them");
  }
  if (from.project !== to.project || from.name === to.name) {
    throw new UsageError(`found ${from.id} and ${to.id}; expected two stacks of one project`);
  }
  if (!flags.anyCommit) await refuseOtherCommit(context, from, to);
  const [mine, theirs] = await Promise.all([outputsOf(context, from), outputsOf(context, to)]);
  show(context, "config", from.name, to.name, differencesBetween(from.config, to.config));
  show(context, "outputs", from.name, to.name, differencesBetween(mine, theirs));

  const report = flags.plan === undefined ? await review(context, to, flags) : undefined;
  const isToDeploy = report === undefined || !isQuiet(report);
  const place = { project: to.project, stack: to.name };
  // Checked before the approval of a plan that could not be deployed.
  if (isToDeploy && !flags.preview) await refuseOthers(context, place, flags);
  if (!isToDeploy && !flags.preview) await releaseDeployed(context, place, flags);
  if (flags.preview || flags.savePlan !== undefined) return;
  if (!flags.yes && !(await confirm(`Deploy ${to.id}?`))) return;
  if (isToDeploy) await refuseOthers(context, place, flags);
  const pack = flags.policy === "" ? [] : ["--policy-pack", flags.policy];
  const plan = flags.plan === undefined ? [] : ["--plan", path.resolve(flags.plan)];
  const args = ["up", "--yes", "--skip-preview", "--suppress-outputs", "--stack", to.name];
  const code = await pulumiVisibly([...args, ...pack, ...plan], workspaceOf(context, to));
  if (code !== 0) {
    const what = flags.plan === undefined ? "failed" : `failed, or is not the plan ${flags.plan} any more`;
    const next = flags.plan === undefined ? "Run the same command to continue" : "Save and approve a new plan";
    throw new Failure(`the update of ${to.id} ${what}; its output is above. ${next}`);
  }
  live.line(`${colours.good("✓")} ${to.id} has what ${from.id} has`);
  await releaseDeployed(context, place, flags);
}

/**
 * Throws unless the checkout is a commit that the first stack has run, without local changes: only tested code is
 * promoted. The first stack may have gone on while this commit waited for its approval; a commit that is older than what
 * the second one runs is none that waited.
 */
async function refuseOtherCommit(context: Context, from: DescribedStack, to: DescribedStack): Promise<void> {
  const [tested, running, here] = await Promise.all([
    updatesOf(context, from),
    deployedCommit(context, to),
    checkedOut(context.root),
  ]);
  const [deployed] = tested;
  const way = "or say --any-commit";
  if (deployed === undefined)
    throw new Failure(`the commit that ${from.id} was deployed from is unknown; deploy it first, ${way}`);
  if (here.isDirty)
    throw new Failure(
      `files of the checkout differ from its commit, so it is not what ${from.id} runs; commit or stash them, ${way}`,
    );
  const oldest = tested.findIndex(({ commit }) => commit === running?.commit);
  const since = oldest < 0 ? tested.slice(0, 1) : tested.slice(0, oldest + 1);
  const isSame = !deployed.isDirty && since.some(({ commit, isDirty }) => commit === here.commit && !isDirty);
  // Pulumi records local changes without naming the files, and counts a salt that it added itself. A preview shows
  // whether the changes matter.
  if (isSame || (await isAsCheckedOut(context, from))) return;
  if (deployed.isDirty)
    throw new Failure(`${from.id} was deployed with files that no commit has; deploy it again from a commit, ${way}`);
  throw new Failure(
    `${from.id} runs ${deployed.commit.slice(0, 12)}, and ${here.commit.slice(0, 12)} is checked out; git checkout ${deployed.commit.slice(0, 12)}, ${way}`,
  );
}

/** Whether the checkout would not change the stack: a commit, or local changes, may be irrelevant for it. */
async function isAsCheckedOut(context: Context, stack: DescribedStack): Promise<boolean> {
  const { ok, report } = await previewStack(context, stack, { policy: "" });
  return ok && isQuiet(report);
}

function show(context: Context, what: string, from: string, to: string, differences: readonly StackDifference[]): void {
  if (differences.length === 0) return context.print(`${what}: no difference\n`);
  const columns = [what.toUpperCase(), from, to];
  const rows = differences.map(({ path, from: left, to: right }) => [path, left ?? "-", right ?? "-"]);
  context.print(`${table(columns, rows)}\n`);
}
