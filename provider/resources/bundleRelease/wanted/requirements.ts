/** Kinds that a bundle requires from other bundles or components. */

import type { Client } from "../../../../kubernetes/client/client";
import { UnknownKindError } from "../../../../kubernetes/client/discovery";
import { groupOf } from "../../../../kubernetes/objects/objects";
import { scopesIn } from "../../../../kubernetes/apply/scope";
import type { BundleObject } from "../../../../bundles/format/format";

/** `monitoring.coreos.com/v1/ServiceMonitor`, `v1/ConfigMap`. */
export const REQUIREMENT = /^(([a-z0-9.-]+\/)?v[a-z0-9]+)\/([A-Z][A-Za-z0-9]*)$/;

/** Returns the required kinds that the cluster does not have. */
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
  `the bundle requires ${kinds.join(", ")}, which the cluster does not have; install what provides ${kinds.length === 1 ? "it" : "them"} first`;

/** Whether a dependency provides the group of a kind; the kind is `group/version/Kind`. */
export const isProvidedKind = (kind: string, providedBy: readonly string[]): boolean =>
  providedBy.some((crd) => crd.endsWith(`.${groupOf(kind)}`));

/** Namespaces that the dependencies create. */
export const providedNamespaces = (providedBy: readonly string[]): string[] =>
  providedBy.flatMap((each) => (each.startsWith("Namespace/") ? [each.slice("Namespace/".length)] : []));

/**
 * Returns the objects whose kinds a dependency provides and the cluster does not have yet. A preview can't check them.
 */
export async function objectsOfProvidedKinds(
  client: Client,
  objects: readonly BundleObject[],
  providedBy: readonly string[],
): Promise<ReadonlySet<BundleObject>> {
  const own = scopesIn(objects.map(({ object }) => object));
  const open = objects.filter(({ object: { apiVersion, kind } }) => {
    const key = `${apiVersion}/${kind}`;
    return !own.has(key) && isProvidedKind(key, providedBy);
  });
  const kinds = [...new Set(open.map(({ object: { apiVersion, kind } }) => `${apiVersion}/${kind}`))];
  const missing = new Set(await missingKinds(client, kinds));
  return new Set(open.filter(({ object: { apiVersion, kind } }) => missing.has(`${apiVersion}/${kind}`)));
}
