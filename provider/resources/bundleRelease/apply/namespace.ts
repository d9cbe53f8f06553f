/** The namespace of a release before its objects are checked against it. The release does not own it. */

import { setTimeout as sleep } from "node:timers/promises";
import { isForbidden } from "../../../../kubernetes/client/apiError";
import type { Work } from "../../../../kubernetes/work/work";
import type { ReleaseInputs } from "../inputs";
import type { Member } from "../wanted/member";
import { isNamespace } from "../wanted/order";

/** Another resource of the same update may create it. */
const PATIENCE_MS = 10_000;
const POLL_MS = 200;

/** Creates the namespace if the inputs say so. Otherwise, a new release waits for it a little; errors come later. */
export async function ensureNamespace(
  { client, signal, log, title }: Pick<Work, "client" | "signal" | "log" | "title">,
  { namespace, createNamespace }: ReleaseInputs,
  members: readonly Member[],
  isNew: boolean,
): Promise<void> {
  if (members.some(({ ref }) => isNamespace(ref) && ref.name === namespace)) return;
  const ref = { apiVersion: "v1", kind: "Namespace", name: namespace };
  if (createNamespace === true) {
    if ((await client.get(ref)) === undefined) {
      await client.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    }
    return;
  }
  if (!isNew) return;
  const exists = async (): Promise<boolean> => {
    try {
      return (await client.get(ref, { metadataOnly: true })) !== undefined;
    } catch (error) {
      if (isForbidden(error)) return true; // Its user may do without reading namespaces.
      throw error;
    }
  };
  if (await exists()) return;
  log("info", `${title} waits for namespace ${namespace}, which does not exist yet`);
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline && !(await exists());) {
    await sleep(POLL_MS, undefined, { signal });
  }
}
