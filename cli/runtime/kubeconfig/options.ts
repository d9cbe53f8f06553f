import { Option, type Command } from "commander";
import { lifetime } from "../../options/parse";

/** Options of a kubeconfig that Gardener issues. */
export interface KubeconfigOptions {
  readonly role: "admin" | "viewer";
  /** In seconds. */
  readonly expires: number;
}

export const kubeconfigOptions = (command: Command): Command =>
  command
    .addOption(
      new Option("--role <role>", "what it allows in the cluster").choices(["viewer", "admin"]).default("viewer"),
    )
    .addOption(new Option("--expires <duration>", "validity, 10m to 24h").argParser(lifetime).default(3600, "1h"));
