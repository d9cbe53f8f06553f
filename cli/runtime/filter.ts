import { Option, type Command } from "commander";
import type { Filter } from "../fleet/select";
import { STATES } from "../fleet/summary";
import { filled, positive, wholeNumber } from "../options/parse";

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
