import type { Command } from "commander";
import { UsageError } from "../../foundation/errors";
import type { Context } from "../context";
import { actions } from "../options/action";
import { group } from "../options/group";
import { outputOptions } from "../options/output";
import { filled } from "../options/parse";
import type { EksLockOptions } from "./options";

/** `stackyard eks …`. */
export function eksCommand(context: Context): Command {
  const run = actions(context);
  const eks = group("eks", "clusters on EKS");
  eks
    .command("lock")
    .description("record the versions of add-ons and node images that AWS installs today, and show what changes")
    .requiredOption("--stack <name>", "stack whose cluster and node pools they are for", filled)
    .option("--kubernetes-version <minor>", "for this minor, before an upgrade to it; default: the cluster's", filled)
    .option("--dry-run", "show what would change, and write nothing")
    .action(async (options: EksLockOptions) => {
      const { kubernetesVersion: minor } = options;
      if (minor !== undefined && !/^1\.\d{2}$/.test(minor)) {
        throw new UsageError(`--kubernetes-version: found ${JSON.stringify(minor)}; expected a minor, as 1.36`);
      }
      await (await import("./lock.js")).lockEks(context, options);
    });
  eks
    .command("import")
    .description("write the stack file and the imports of a cluster that Terraform, eksctl or CloudFormation made")
    .argument("<name>", "name of the cluster")
    .option("--region <region>", "its region (default: $AWS_REGION)", filled)
    .option("--stack <name>", "stack that takes it over (default: the name of the cluster)", filled)
    .option("--dry-run", "show what would be imported and what differs, and write nothing")
    .action(run(async () => (await import("./import/import.js")).importEks));
  const leftovers = eks
    .command("leftovers")
    .description(
      "list resources that a destroy leaves or has left on AWS, each with how to delete it; fails if there are any",
    )
    .option("--stack <name>", "stack of the cluster", filled)
    .option("--cluster <name>", "name of a cluster whose stack is gone", filled)
    .option("--region <region>", "its region", filled)
    .option("--blocking", "only what keeps the cluster's VPC from being deleted");
  outputOptions(leftovers, ["json", "yaml"]).action(
    run(async () => (await import("./leftovers/leftovers.js")).eksLeftovers),
  );
  return eks;
}
