import { Command } from "commander";
import type { Context } from "../context";
import { actions } from "../options/action";
import { filled, positive, repeated } from "../options/parse";

/** The policy pack of this checkout. */
const PACK = "policy/pulumi-analyzer-policy-stackyard";

/** `stackyard affected`, `preview`, `drift` and `promote`: the commands from a local change to production. */
export function deliveryCommands(context: Context): Command[] {
  const run = actions(context);
  const command = (name: string, description: string): Command =>
    new Command(name).description(description).helpOption("-h, --help", "print this help");
  const policy = ["--policy <path>", "policy pack; an empty text for none"] as const;
  const allow = ["--allow <name>", "unrecoverable resource that may be deleted or replaced; may be repeated"] as const;
  const savePlan = [
    "--save-plan <file>",
    "save the plan for promote --plan; no file where nothing changes",
    filled,
  ] as const;
  const saveChanges = ["--save-changes <file>", "save all changes with all values, as Markdown", filled] as const;
  const githubActions = [
    "--github-actions",
    "show the preview in the summary of the job, and set its output changes",
  ] as const;
  return [
    command("affected", "list the stacks that a change affects, with the files that affect them")
      .alias("plan")
      .option("--since <revision>", "compare with this revision", filled, "origin/main")
      .option("--json", "as JSON")
      .action(run(async () => (await import("./affected.js")).affected)),
    command("preview", "preview a stack with its policies; fail if it would delete unrecoverable resources")
      .argument("<stack>", "dev, or stackyard-runtime/acme")
      .option(...policy, PACK)
      .option(...allow, repeated)
      .option("--refresh", "refresh first")
      .option(...savePlan)
      .option(...saveChanges)
      .option(...githubActions)
      .option("--comment <number>", "update one comment of the pull request with this number", positive)
      .option("--lock", "acquire the stack's lock if something changes, for the pull request of --comment")
      .action(run(async () => (await import("./previewStack.js")).preview)),
    command("drift", "list the drift of stacks; fails if there is any")
      .argument("<stack...>", "dev, or stackyard-runtime/acme")
      .option("--issue", "keep one GitHub issue open while there is drift")
      .action(run(async () => (await import("./drift.js")).drift)),
    command("promote", "deploy the commit of one stack to the next: shows differences, previews, asks, deploys")
      .argument("<from>", "stack that runs the commit")
      .argument("<to>", "stack to deploy it to")
      .option(...policy, PACK)
      .option(...allow, repeated)
      .option("--preview", "only show differences and what would change")
      .option(...savePlan)
      .option(...saveChanges)
      .option("--plan <file>", "deploy this saved plan without another preview", filled)
      .option(...githubActions)
      .option("-y, --yes", "skip the confirmation")
      .option("--any-commit", "allow a commit that the first stack was not deployed from")
      .option("--pull-request <number>", "deploy for this pull request, which may hold the stack's lock", positive)
      .action(run(async () => (await import("./promote.js")).promote)),
  ];
}
