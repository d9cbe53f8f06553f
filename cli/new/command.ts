import { Command } from "commander";
import type { Context } from "../context";
import { actions } from "../options/action";
import { filled } from "../options/parse";

/** `stackyard new`. */
export const newCommand = (context: Context): Command =>
  new Command("new")
    .description("write a repository of your own with a platform; asks for what no option says")
    .argument("<folder>", "a folder that is empty or not there yet", filled)
    .option("--context <name>", "existing cluster: a context of the kubeconfig", filled)
    .option("--kubeconfig <file>", "the kubeconfig; default: $KUBECONFIG, else ~/.kube/config", filled)
    .option("--eks <name>", "create a cluster on EKS with this name", filled)
    .option("--region <region>", "its region", filled)
    .option("--features <names>", "ray, jupyterhub, bundle, runtimes, separated by commas; none for no feature", filled)
    .option("--state <url>", "state backend; env if PULUMI_BACKEND_URL names it", filled)
    .option("--secrets <provider>", "passphrase, or the URL of a key, such as awskms://alias/stackyard", filled)
    .option("--stack <name>", "name of the platform stack", filled, "dev")
    .option("--package <source>", "version or file of the npm package stackyard; default: this version", filled)
    .option("--dry-run", "print the files, and write nothing")
    .helpOption("-h, --help", "print this help")
    .action(actions(context)(async () => (await import("./repository.js")).newRepository));
