import * as pulumi from "@pulumi/pulumi";
import type { PlatformConfig } from "../config/platformConfig";
import type { StateResource } from "../../resources/ownState";

/** The config that determines which provisioners are removed. */
export type RemovalConfig = Pick<PlatformConfig, "provisioners" | "clickhouse" | "ledgerUrl" | "allowRemoval">;

/** A provisioner that was in the set before this run but no longer is. */
export interface RemovedProvisioner {
  /** Its key in `allowRemoval`. */
  readonly key: string;
  readonly outputs: StateResource["outputs"];
}

/** A provisioner's key, and a description of its deployments. */
export type InUse = readonly [key: string, deployments: string];

/** Prefix of the keys of ClickHouse provisioners. */
export const CLICKHOUSE = "clickhouse.";

export const ask = async <Answer>(name: string, question: pulumi.Inputs): Promise<Answer> =>
  (await pulumi.runtime.invoke(`stackyard:index:${name}`, question)) as Answer;

export function textOf(outputs: StateResource["outputs"], key: string): string {
  const value = outputs[key];
  return typeof value === "string" ? value : "";
}
