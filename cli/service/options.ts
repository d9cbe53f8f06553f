import type { Command } from "commander";
import { outputOptions, type OutputOptions } from "../options/output";
import { filled, positive } from "../options/parse";
import type { AccessOptions } from "./access";

export interface ReadOptions extends OutputOptions, AccessOptions {
  readonly watch?: boolean;
}

export interface ChangeOptions extends ReadOptions {
  readonly key?: string;
  readonly dryRun?: boolean;
}

export interface ServiceListOptions extends ReadOptions {
  readonly limit?: number;
}

/** Adds the options that select a service and a tenant. */
export function accessOptions(command: Command): Command {
  return command
    .option("--service <url>", "URL of the service's API (default: STACKYARD_SERVICE, else the stored login)", filled)
    .option("--tenant <name>", "tenant, if the token is valid for several (default: STACKYARD_TENANT)", filled);
}

export function readOptions(command: Command, watch?: string): Command {
  const read = outputOptions(accessOptions(command), ["json", "yaml"]);
  return watch === undefined ? read : read.option("-w, --watch", watch);
}

/** Adds the key that makes a change idempotent. */
export const keyOption = (command: Command): Command =>
  command.option(
    "--key <text>",
    "idempotency key: the service runs a request with the same key once, and gives its answer, also a refusal, again",
    filled,
  );

export function changeOptions(command: Command): Command {
  return keyOption(readOptions(command, "wait for the end of the operation; fails if it fails")).option(
    "--dry-run",
    "show the plan and change nothing",
  );
}

export const listOptions = (command: Command): Command =>
  readOptions(command, "show the list again whenever it changes").option(
    "--limit <n>",
    "maximum number of entries (default: 50)",
    positive,
  );
