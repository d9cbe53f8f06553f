import { Option, type Command } from "commander";
import type { Context } from "../context";
import { actions } from "../options/action";
import { FORMAT, VALUES, type DecideOptions } from "./options";
import { filled, label, repeated } from "../options/parse";

/** Commands of `stackyard bundle …` that use a cluster, with kubectl's options. */
export function bundleClusterCommands(context: Context, bundle: Command): void {
  const run = actions(context);
  const command = (name: string, description: string): Command =>
    bundle
      .command(name)
      .description(description)
      .option("--kubeconfig <file>", "kubeconfig of the cluster; default: $KUBECONFIG, else ~/.kube/config", filled)
      .option("--context <name>", "context of the kubeconfig; default: its current one", filled)
      .option("--stack <name>", "instead of a kubeconfig: platform stack of the cluster", filled)
      .option("-n, --namespace <name>", "namespace of the bundle; default: the context's", label)
      .option("--as <user>", "user to impersonate", filled);
  const reading = (name: string, description: string): Command =>
    command(name, description)
      .addOption(new Option("-o, --output <format>", "machine-readable output").choices(["json", "yaml"]))
      .option("--json", "as JSON; the same as --output json");

  reading("list", "list the bundles of a cluster, and the ones that wait for an approval")
    .option("-A, --all-namespaces", "in all namespaces")
    .action(run(async () => (await import("./list.js")).listReleases));
  reading("show", "show one bundle: its content, approvals and requests")
    .argument("<name>", "name of the bundle", label)
    .action(run(async () => (await import("./show.js")).showRelease));
  reading("history", "list requests for approval and decisions")
    .argument("<name>", "name of the bundle", label)
    .action(run(async () => (await import("./history.js")).history));
  withSources(command("diff", "show what other content would change in the cluster: objects and requests")).action(
    run(async () => (await import("./diff.js")).diff),
  );
  const deciding = (name: string, description: string, decision: "Approved" | "Denied"): Command =>
    withSources(command(name, description))
      .option(
        "--digest <sha256:…>",
        "digest of the content; default: that of the source, else of the open request",
        filled,
      )
      .option(
        "--request <id>",
        "id of the request, as show prints it; an error if there is no such open request",
        filled,
      )
      .option("--reason <text>", "reason that is recorded with the decision", filled)
      .option("-y, --yes", "skip the confirmation")
      .action(async (bundleName: string, sources: string[], options: DecideOptions) =>
        (await import("./decide.js")).decide(context, decision, bundleName, sources, options),
      );
  deciding("approve", "allow content to be applied; without a source, the open request", "Approved").option(
    "--confine <user>",
    "let the API server accept nothing but this content from the user who applies it; may be given several times",
    repeated,
  );
  deciding("deny", "forbid content to be applied, also when it was approved before", "Denied");
}

const withSources = (command: Command): Command =>
  command
    .argument("<name>", "name of the bundle", label)
    .argument("[source...]", "where its content is")
    .option("-f, --file <path>", "a file that describes sources", filled)
    .option("--directory <path>", "folder of the source that is the bundle's root", filled)
    .option("--format <name>", FORMAT, filled)
    .option("--values <file>", VALUES, repeated);
