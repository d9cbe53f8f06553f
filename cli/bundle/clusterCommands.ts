import { Option, type Command } from "commander";
import type { Context } from "../context";
import {
  FORMAT,
  VALUES,
  type DecideOptions,
  type DiffOptions,
  type HistoryOptions,
  type ListOptions,
  type ShowOptions,
} from "./options";
import { filled, label, repeated } from "../program/parse";

/** Those of `stackyard bundle …` that speak to a cluster, with options as kubectl has them. */
export function bundleClusterCommands(context: Context, bundle: Command): void {
  const command = (name: string, description: string): Command =>
    bundle
      .command(name)
      .description(description)
      .option("--kubeconfig <file>", "the way to the cluster; default: $KUBECONFIG, else ~/.kube/config", filled)
      .option("--context <name>", "context of the kubeconfig; default: its current one", filled)
      .option("--stack <name>", "instead of a kubeconfig: the platform whose cluster is meant", filled)
      .option("-n, --namespace <name>", "namespace of the bundle; default: that of the context", label)
      .option("--as <user>", "speak for this user", filled);
  const telling = (name: string, description: string): Command =>
    command(name, description)
      .addOption(new Option("-o, --output <format>", "for programs").choices(["json", "yaml"]))
      .option("--json", "as JSON; the same as --output json");

  telling("list", "the bundles of a cluster, and those that wait to be approved")
    .option("-A, --all-namespaces", "in all namespaces")
    .action(async (options: ListOptions) => (await import("./list.js")).list(context, options));
  telling("show", "one bundle: what is applied, who approved it, what it asks for")
    .argument("<name>", "name of the bundle", label)
    .action(async (name: string, options: ShowOptions) => (await import("./show.js")).show(context, name, options));
  telling("history", "who asked for what, and who decided")
    .argument("<name>", "name of the bundle", label)
    .action(async (name: string, options: HistoryOptions) =>
      (await import("./history.js")).history(context, name, options),
    );
  withSources(
    command("diff", "what would change in the cluster with other content: objects, and what it asks for"),
  ).action(async (name: string, sources: string[], options: DiffOptions) =>
    (await import("./diff.js")).diff(context, name, sources, options),
  );
  const deciding = (name: string, description: string, decision: "Approved" | "Denied"): Command =>
    withSources(command(name, description))
      .option(
        "--digest <sha256:…>",
        "the content that is meant; default: of the source, else what was asked for last",
        filled,
      )
      .option("--reason <text>", "told to who asks why", filled)
      .option("-y, --yes", "don't ask")
      .action(async (bundleName: string, sources: string[], options: DecideOptions) =>
        (await import("./decide.js")).decide(context, decision, bundleName, sources, options),
      );
  deciding("approve", "let content be applied; without a source, what was asked for last", "Approved");
  deciding("deny", "forbid content to be applied, also when it was approved before", "Denied");
}

const withSources = (command: Command): Command =>
  command
    .argument("<name>", "name of the bundle", label)
    .argument("[source...]", "where its content is")
    .option("-f, --file <path>", "a file that describes sources", filled)
    .option("--directory <path>", "folder in the source that is the bundle's root", filled)
    .option("--format <name>", FORMAT, filled)
    .option("--values <file>", VALUES, repeated);
