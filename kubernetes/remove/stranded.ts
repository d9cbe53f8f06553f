/** Pods whose StatefulSet was deleted without them, which happens if recreating it is interrupted. */

import { at, type KubeObject } from "../objects/objects";
import type { Client } from "../client/client";
import { selectorText } from "../objects/selector";

export async function strandedPods(client: Client, set: KubeObject): Promise<KubeObject[]> {
  const { namespace, name } = set.metadata;
  const label = selectorText(at(set, "spec", "selector"));
  if (label === "") return [];
  const pods = await client.list({ apiVersion: "v1", kind: "Pod", namespace }, { label });
  return pods.filter(
    ({ metadata }) =>
      metadata.name.startsWith(`${name}-`) &&
      /^\d+$/.test(metadata.name.slice(name.length + 1)) &&
      !(metadata.ownerReferences ?? []).some(({ controller }) => controller),
  );
}
