/** Bundles that are rendered and checked, without being applied: by their own CRDs, and by the API server. */

import { openAs } from "../../cli/bundle/source/open";
import { BundleCache } from "../../bundles/cache";
import { clusterFacts } from "../../bundles/format/facts";
import { dryRun } from "../../kubernetes/apply/dryRun";
import { ApiError, isMissingNamespace } from "../../kubernetes/client/apiError";
import type { Client } from "../../kubernetes/client/client";
import { UnknownKindError } from "../../kubernetes/client/discovery";
import { describe, type KubeObject } from "../../kubernetes/objects/objects";
import type { Json } from "../../foundation/json/isObject";
import { schemaFaults } from "../../provider/resources/bundleRelease/preview";

/** A namespace that is there, and no chart refuses. */
const NAMESPACE = "kube-system";

/** Objects of a chart, or a bundle of any other format. Throws with every fault, also those of values against a schema. */
export async function rendered(client: Client, file: string, values: object, cache: string): Promise<KubeObject[]> {
  const { signal } = new AbortController();
  const reader = { base: "/", cache: new BundleCache(() => undefined, cache), signal };
  const { format, tree } = await openAs([{ type: "local", path: file }], undefined, reader);
  const cluster = () => clusterFacts(client);
  const purpose = { name: "upstream", namespace: NAMESPACE, values: values as Json, cluster, signal };
  return (await format.read(tree, purpose)).map(({ object }) => object);
}

/** What the objects' own CRDs and the API server refuse of them. */
export async function refusals(client: Client, objects: readonly KubeObject[]): Promise<string[]> {
  const ofSchemas = schemaFaults(objects);
  const found: string[] = [];
  for (const object of objects) {
    found.push(...ofSchemas(object));
    try {
      await dryRun({ client }, object);
    } catch (error) {
      // Its namespace or its kind comes with the others.
      if (error instanceof UnknownKindError || isMissingNamespace(error)) continue;
      if (!(error instanceof ApiError)) throw error;
      found.push(`${describe({ ...object, ...object.metadata })}: ${error.message}`);
    }
  }
  return found;
}
