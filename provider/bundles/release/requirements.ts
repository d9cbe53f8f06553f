/** Kinds that a bundle says it needs from somebody else. */

import type { Client } from "../../kubernetes/client";
import { UnknownKindError } from "../../kubernetes/discovery";

/** `monitoring.coreos.com/v1/ServiceMonitor`, `v1/ConfigMap`. */
export const REQUIREMENT = /^(([a-z0-9.-]+\/)?v[a-z0-9]+)\/([A-Z][A-Za-z0-9]*)$/;

/** Those of the kinds that the cluster does not have. */
export async function missingKinds(client: Client, kinds: readonly string[]): Promise<string[]> {
  const missing = await Promise.all(
    kinds.map(async (text) => {
      const [, apiVersion = "", , kind = ""] = REQUIREMENT.exec(text) ?? [];
      try {
        await client.discovery.resource(apiVersion, kind);
        return [];
      } catch (error) {
        if (error instanceof UnknownKindError) return [text];
        throw error;
      }
    }),
  );
  return missing.flat();
}

export const missingText = (kinds: readonly string[]): string =>
  `the bundle requires ${kinds.join(", ")}, which the cluster does not have; install what brings ${kinds.length === 1 ? "it" : "them"} first`;

const groupOf = (apiVersion: string): string => apiVersion.split("/")[0] ?? "";

/** Whether a kind, as `group/version/Kind`, is of a group that what comes before brings. */
export const isComing = (kind: string, ground: readonly string[]): boolean =>
  ground.some((crd) => crd.endsWith(`.${groupOf(kind)}`));

/** Whether an error is about kinds that are yet to come, and about nothing else. */
export function isAboutComing(error: unknown, ground: readonly string[]): boolean {
  if (error instanceof UnknownKindError) return isComing(error.apiVersion, ground);
  if (!(error instanceof Error)) return false;
  const kinds = [...error.message.matchAll(/the cluster has no kind \w+ in ([^\s:]+)/g)].map(
    ([, apiVersion = ""]) => apiVersion,
  );
  return kinds.length > 0 && kinds.every((apiVersion) => isComing(apiVersion, ground));
}
