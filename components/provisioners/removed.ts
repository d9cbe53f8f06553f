import * as pulumi from "@pulumi/pulumi";
import type { PlatformConfig } from "../platform/config/platformConfig";
import type { StateResource } from "../resources/ownState";

/** What a config says of provisioners that may go. */
export type RemovalConfig = Pick<
  PlatformConfig,
  "pools" | "kubernetes" | "gardener" | "clickhouse" | "ledgerUrl" | "allowRemoval"
>;

/** A provisioner that was in the set before this run and is not in it any more. */
export interface RemovedProvisioner {
  /** By which `allowRemoval` names it. */
  readonly key: string;
  readonly outputs: StateResource["outputs"];
}

/** A provisioner by its key, with the deployments that it has. */
export type InUse = readonly [key: string, deployments: string];

/** What keys of ClickHouse provisioners begin with. */
export const CLICKHOUSE = "clickhouse.";

export const ask = async <Answer>(name: string, question: pulumi.Inputs): Promise<Answer> =>
  (await pulumi.runtime.invoke(`stackyard:index:${name}`, question)) as Answer;

export function textOf(outputs: StateResource["outputs"], key: string): string {
  const value = outputs[key];
  return typeof value === "string" ? value : "";
}
