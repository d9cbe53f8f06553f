import type { Command } from "commander";
import type { Context } from "../context";
import { actions } from "../options/action";
import { group } from "../options/group";
import { outputOptions } from "../options/output";
import { filled, positive } from "../options/parse";

/** `stackyard lock …`. */
export function lockCommand(context: Context): Command {
  const run = actions(context);
  const lock = group("lock", "locks of stacks, held from the review of a change until its deployment");
  outputOptions(lock.command("list").description("list the locks and their holders"), ["json", "yaml"]).action(
    run(async () => (await import("./list.js")).listStackLocks),
  );
  const pullRequest = ["--pull-request <number>", "acquire or release it for this pull request", positive] as const;
  lock
    .command("acquire")
    .description("acquire the lock of a stack; fails if another holder has it")
    .argument("<stack>", "dev, or stackyard-runtime/acme")
    .option(...pullRequest)
    .option("--reason <text>", "reason that is recorded with the lock", filled)
    .action(run(async () => (await import("./acquire.js")).acquire));
  lock
    .command("release")
    .description("release the lock of a stack, or all locks of a pull request")
    .argument("[stack]", "dev, or stackyard-runtime/acme")
    .option(...pullRequest)
    .option("--force", "release it even if another holder has it")
    .action(run(async () => (await import("./release.js")).release));
  return lock;
}
