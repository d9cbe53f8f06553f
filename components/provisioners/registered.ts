import { isDeepStrictEqual } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { reachOf } from "../clickhouse/reach";
import type { StateResource } from "../resources/ownState";
import { PROVISIONER_REGISTRATION } from "../resources/tokens";
import { ask, CLICKHOUSE, type InUse, type RemovedProvisioner, type RemovalConfig, textOf } from "./removed";

/** A question for each provisioner that goes, and none in most runs. */
export async function registeredInUse(config: RemovalConfig, previous: readonly StateResource[]): Promise<InUse[]> {
  const removed = previous
    .filter(({ type }) => type === PROVISIONER_REGISTRATION)
    .map(({ outputs }): RemovedProvisioner => ({ key: registeredKey(outputs), outputs }))
    .filter((one) => !stays(config, one));
  const found = await Promise.all(
    removed.map(async ({ key, outputs }): Promise<InUse[]> => {
      const question = { ...outputs, alone: outputs["alone"] === true || !isShared(config, outputs) };
      const { inUse, trouble } = await ask<{ inUse?: string; trouble?: string }>("readDeployments", question);
      if (trouble !== undefined) {
        await pulumi.log.warn(`Which deployments are with provisioner ${key} is not known: ${trouble}`);
      }
      return inUse === undefined ? [] : [[key, inUse]];
    }),
  );
  return found.flat();
}

function registeredKey(outputs: StateResource["outputs"]): string {
  const name = textOf(outputs, "provisioner");
  return outputs["gives"] === undefined ? name : `${CLICKHOUSE}${name}`;
}

/** As one of the same type. */
function stays({ kubernetes, clickhouse }: RemovalConfig, { key, outputs }: RemovedProvisioner): boolean {
  const name = textOf(outputs, "provisioner");
  if (!key.startsWith(CLICKHOUSE)) return Object.hasOwn(kubernetes, name);
  const type = Object.hasOwn(clickhouse, name) ? clickhouse[name]?.type : undefined;
  return type === (outputs["url"] === undefined ? "kubernetes" : "static");
}

/** Whether one that stays is at its place: two provisioners of one place may go at once. */
function isShared({ kubernetes, clickhouse }: RemovalConfig, outputs: StateResource["outputs"]): boolean {
  if (outputs["gives"] === undefined) {
    return Object.values(kubernetes).some(({ settings }) => settings.namespace === outputs["namespace"]);
  }
  const server = textOf(outputs, "url");
  return Object.values(clickhouse).some((config) =>
    config.type === "static"
      ? server !== "" && isDeepStrictEqual(reachOf(config.url), reachOf(server))
      : config.settings.namespace === outputs["namespace"],
  );
}
