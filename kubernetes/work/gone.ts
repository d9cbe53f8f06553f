/** Waits until deleted objects are gone, and reports what blocks their deletion. */

import { describe, textAt, refOf, type KubeObject } from "../objects/objects";
import { forAll } from "../client/pool";
import { until, type Work } from "./work";

/** Reads the current state of each object, in the same order. */
type Look = (objects: readonly KubeObject[]) => Promise<readonly (KubeObject | undefined)[]>;

const one =
  ({ client }: Work): Look =>
  (objects) =>
    forAll(objects, (object) => client.get(refOf(object)));

/** A new object of the same name counts as gone. */
export async function untilGone(site: Work, objects: readonly KubeObject[], look: Look = one(site)): Promise<void> {
  if (objects.length === 0) return;
  let left: readonly KubeObject[] = objects;
  let reported = "";
  const since = Date.now();
  await until(
    site,
    async () => {
      const now = await look(left);
      left = now.flatMap((live, index) => (live && live.metadata.uid === left[index]?.metadata.uid ? [live] : []));
      if (left.length === 0) return true;
      const line = `waiting until ${describe(refOf(left[0] as KubeObject))} is gone${left.length > 1 ? ` (and ${left.length - 1} more)` : ""}`;
      if (line !== reported && Date.now() - since > 1_000) site.log("status", (reported = line));
      return undefined;
    },
    () => Promise.resolve(stillThere(site, left)),
  );
}

function stillThere(site: Work, left: readonly KubeObject[]): Error {
  const lines = left.slice(0, 10).map((object) => `- ${describe(refOf(object))}: ${holderOf(object)}`);
  const more = left.length > 10 ? `\n- and ${left.length - 10} more` : "";
  return new Error(
    `${site.title}: not gone after ${site.timeoutSeconds} seconds:\n${lines.join("\n")}${more}\n` +
      "What is left is tried again the next time",
  );
}

/** What blocks the deletion of an object. */
function holderOf(object: KubeObject): string {
  const { deletionTimestamp, finalizers = [] } = object.metadata;
  if (deletionTimestamp === undefined) return "nothing has begun to delete it";
  const node = object.kind === "Pod" ? textAt(object, "spec", "nodeName") : undefined;
  if (finalizers.length > 0) {
    const held = `held by its finalizers ${finalizers.join(", ")} since ${deletionTimestamp}`;
    return finalizers.includes("kubernetes.io/pvc-protection") ? `${held}; a pod still uses it` : held;
  }
  if (node !== undefined) return `terminating since ${deletionTimestamp} on node ${node}; does the node still answer?`;
  return `terminating since ${deletionTimestamp}`;
}
