import type { Command } from "commander";
import { outputOptions, type OutputOptions } from "../options/output";
import { filled, positive, wholeNumber } from "../options/parse";
import type { AccessOptions } from "./client";

export interface ReadOptions extends OutputOptions, AccessOptions {
  readonly watch?: boolean;
}

export interface ChangeOptions extends ReadOptions {
  readonly revision?: number;
  readonly key?: string;
  readonly dryRun?: boolean;
}

/** Adds the options for the service's URL and tenant. */
export function accessOptions(command: Command): Command {
  return command
    .option("--service <url>", "URL of the service's API (default: STACKYARD_SERVICE)", filled)
    .option(
      "--tenant <name>",
      "tenant, if the token in STACKYARD_TOKEN is valid for several (default: STACKYARD_TENANT)",
      filled,
    );
}

export function readOptions(command: Command, watch?: string): Command {
  const read = outputOptions(accessOptions(command), ["json", "yaml"]);
  return watch === undefined ? read : read.option("-w, --watch", watch);
}

export function changeOptions(command: Command): Command {
  return readOptions(command, "wait for the end of the operation; fails if it fails")
    .option("--dry-run", "show the plan and change nothing")
    .option("--key <text>", "idempotency key: the service runs a request with the same key once", filled);
}

/** Adds the revision; only for existing deployments. */
export const revisionOption = (command: Command): Command =>
  command.option("--revision <n>", "fail if the deployment has another revision now", wholeNumber);

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
    .option("--stopped-retention <period>", "deprovision it so long after a hibernation; none for no limit", filled);

/** Returns the limits that options name; null removes one. */
export const limitsInput = ({ timeToLive, idleLimit, stoppedRetention }: LimitOptions): Record<string, string | null> =>
  Object.fromEntries(
    Object.entries({ timeToLive, idleLimit, stoppedRetention }).flatMap(([name, text]) =>
      text === undefined ? [] : [[name, text === "none" ? null : text]],
    ),
  );

export const listOptions = (command: Command): Command =>
  readOptions(command, "show the list again whenever it changes").option(
    "--limit <n>",
    "maximum number of entries (default: 50)",
    positive,
  );
