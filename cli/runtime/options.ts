import { Option, type Command } from "commander";
import type { Filter } from "../fleet/select";
import { STATES } from "../fleet/summary";
import { filled, lifetime, positive, wholeNumber } from "../options/parse";
import { accessOptions, keyOption } from "../service/options";
import type { AccessOptions } from "../service/access";

/** Options of every verb: whether it goes through a service. */
export interface TargetOptions extends AccessOptions {
  readonly local?: boolean;
}

export interface CommonOptions extends TargetOptions {
  readonly json?: boolean;
  /** False: return as soon as the service has accepted the request. */
  readonly wait?: number | false;
  readonly refresh?: boolean;
  readonly fromFile?: boolean;
  readonly disk?: string;
  readonly key?: string;
  readonly revision?: number;
}

export interface ManyOptions extends CommonOptions, Filter {
  readonly file?: string;
  readonly all?: boolean;
  readonly parallel?: number;
  readonly wave?: string;
  readonly maxFailures?: number;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

export const targetOptions = (command: Command): Command =>
  accessOptions(command).option("--local", "by itself, on the state backend, whatever service is selected otherwise");

/** Adds the options of a change that only a service has. */
export const requestOptions = (command: Command): Command =>
  revisionOption(keyOption(command)).option(
    "--no-wait",
    "return when the service has accepted the request; it goes on with the operation",
  );

export const revisionOption = (command: Command): Command =>
  command.option("--revision <n>", "fail if the deployment has another revision now", wholeNumber);

/** Limits of a deployment's lifetime. */
export interface LimitOptions {
  readonly timeToLive?: string;
  readonly idleLimit?: string;
  readonly stoppedRetention?: string;
}

/** Adds the limits of a deployment's lifetime. */
export const limitOptions = (command: Command): Command =>
  command
    .option("--time-to-live <period>", "hibernate it so long after now, such as 7d; none for no limit", filled)
    .option("--idle-limit <period>", "hibernate it so long after its last use; none for no limit", filled)
    .option("--stopped-retention <period>", "destroy it so long after a hibernation; none for no limit", filled);

/** Returns the limits that options name; null removes one. */
export const limitsInput = ({ timeToLive, idleLimit, stoppedRetention }: LimitOptions): Record<string, string | null> =>
  Object.fromEntries(
    Object.entries({ timeToLive, idleLimit, stoppedRetention }).flatMap(([name, text]) =>
      text === undefined ? [] : [[name, text === "none" ? null : text]],
    ),
  );

/** Adds options that filter runtimes by state. */
export function stateFilters(command: Command): Command {
  return command
    .addOption(new Option("--state <state>", "only those in this state").choices(STATES))
    .option("--outdated", "only those whose provisioner has changed since their last update")
    .option("--failed", "only those whose last update failed");
}

/** Adds options that filter runtimes by location. `up` already has options with these names. */
export function placeFilters(command: Command): Command {
  return command
    .option("--provisioner <name>", "only those with this provisioner", filled)
    .option("--platform <stack>", "only those of this platform stack", filled)
    .option("--environment <name>", "only those of this environment", filled);
}

/** Extracts the filter from a command's options. */
export function filterOf({ provisioner, platform, environment, state, outdated, failed }: Filter): Filter {
  return { provisioner, platform, environment, state, outdated, failed };
}

/** Adds the options of commands on many runtimes. */
export function fleet(command: Command, verb: string): Command {
  return stateFilters(command)
    .option("--all", `${verb} every runtime, or every one that matches the filters`)
    .option("-f, --file <file>", "runtimes of a YAML or JSON file, by id; - for standard input", filled)
    .option("--dry-run", "show the selected runtimes, and change nothing")
    .option("-y, --yes", "skip the confirmation")
    .option("--parallel <n>", "number of parallel operations (default: 1)", positive)
    .option(
      "--wave <sizes>",
      "in waves of a number or share, such as 5 or 1,10%,50%; each starts when the previous one has ended",
      filled,
    )
    .option(
      "--max-failures <n>",
      "stop after more failures than this (default: no limit; with --wave: 0)",
      wholeNumber,
    );
}

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
