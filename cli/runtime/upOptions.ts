import type { Command } from "commander";
import { UsageError } from "../../foundation/errors";
import { platformReference } from "../../engine/stack/names";
import type { DeploymentChange, RuntimeChange } from "../../engine/stack/change";
import { filled, keyValue, number, positive } from "../options/parse";

/** Options of `runtime up` and `runtime preview` as commander gives them. */
export interface UpOptions {
  readonly slots?: number;
  readonly version?: string;
  readonly environment?: string;
  readonly diskGb?: number;
  readonly annotation?: Readonly<Record<string, string>>;
  readonly provisioner?: string;
  readonly clickhouse?: string;
  readonly platform?: string;
  readonly move?: boolean;
  readonly disk?: string;
}

/** Adds the options for a deployment's size and version. */
export function sizeOptions(command: Command): Command {
  return command
    .option("--slots <n>", "size in slots (new: 1)", positive)
    .option("--version <tag>", "image tag to run; required for a new runtime", filled)
    .option("--environment <name>", "environment, which may choose the provisioner (new: prod)", filled)
    .option("--disk-gb <n>", "disk in GiB, instead of the size computed from the slots", number)
    .option("--annotation <key=value>", "annotation; may be repeated, key= removes one", keyValue);
}

/** Adds these, and the options for its location. */
export function deploymentOptions(command: Command): Command {
  return sizeOptions(command)
    .option("--provisioner <name>", "provisioner instead of the environment's or the default one", filled)
    .option(
      "--clickhouse <name>",
      "provisioner of a ClickHouse database; default for the default one, none to stop using it",
      filled,
    )
    .option("--platform <stack>", "platform stack, such as dev or organization/stackyard/dev", filled)
    .option("--refresh", "refresh first, and fix what was changed or removed outside of Pulumi")
    .option("--from-file", "apply the differences of the stack file to the state")
    .option("--disk <claim>", "kept disk that a new runtime uses (default: a new disk)", filled)
    .option("--move", "allow moving to another provisioner or host; data is not copied");
}

/** Default platform of runtimes: from the environment, else the local one. */
export function defaultPlatform(env: NodeJS.ProcessEnv = process.env): string {
  return platformReference(env.STACKYARD_PLATFORM || "dev");
}

/**
 * Builds the change of a command line. `--move` permits a move to the given provisioner, or else to `present`, the
 * current one, where a change may then choose another host.
 */
export function changeOf(options: UpOptions, present: string | undefined): RuntimeChange {
  const target = options.provisioner ?? present;
  if (options.move === true && target === undefined) {
    throw new UsageError("--move needs --provisioner, because this runtime is not on any provisioner yet");
  }
  return {
    deployment: {
      slots: options.slots,
      version: options.version,
      environment: options.environment,
      diskGb: options.diskGb,
      annotations: options.annotation,
      provisioner: options.provisioner,
      resources: options.clickhouse === undefined ? undefined : resourcesOf(options.clickhouse),
    },
    platform: options.platform === undefined ? undefined : platformReference(options.platform),
    move: options.move === true ? target : undefined,
  };
}

function resourcesOf(clickhouse: string): DeploymentChange["resources"] {
  if (clickhouse === "none") return {};
  return { clickhouse: clickhouse === "default" ? {} : { provisioner: clickhouse } };
}
