import { Command } from "commander";
import type { Context } from "../context";
import { actions } from "../options/action";
import { filled } from "../options/parse";

/** `stackyard adopt`. Loads its code on demand. */
export const adoptCommand = (context: Context): Command =>
  new Command("adopt")
    .description("allow a platform stack to take over what another stack owns in a cluster")
    .argument(
      "<namespace/name>",
      "set or bundle instance, such as ray/analytics, or kube-system/release-NAME of a Helm release",
    )
    .requiredOption("--stack <stack>", "the platform stack that takes it over", filled)
    .option("--kubeconfig <file>", "kubeconfig of the cluster (default: $KUBECONFIG, else ~/.kube/config)", filled)
    .option("--context <name>", "context of the kubeconfig (default: its current one)", filled)
    .option("--feature", "everything of its feature: such as Ray's operator, its kinds and all of its clusters")
    .option("--dry-run", "only show what it consists of, and what the stack would change")
    .option("--json", "with --dry-run: print JSON")
    .option("-y, --yes", "skip the confirmation")
    .action(actions(context)(async () => (await import("./adopt.js")).adopt));
