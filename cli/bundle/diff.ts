import { findApprovals } from "../../bundles/approvals/store";
import { approvalStatus } from "../../bundles/approvals/status";
import { asksIn } from "../../bundles/permissions/around";
import { approversIn, requestText } from "../../bundles/approvals/requested";
import { fieldChanges } from "../../kubernetes/drift/fieldChanges";
import { membersOf } from "../../provider/resources/bundleRelease/wanted/members";
import { type Member } from "../../provider/resources/bundleRelease/wanted/member";
import { ApiError } from "../../kubernetes/client/apiError";
import type { Client } from "../../kubernetes/client/client";
import { describe } from "../../kubernetes/objects/objects";
import { forAll } from "../../kubernetes/client/pool";
import { FaultsError } from "../../kubernetes/work/faults";
import type { DiffOptions } from "./options";
import type { Context } from "../context";
import { Failure, messageOf } from "../../foundation/errors";
import { kubectl } from "./cluster/kubectl";
import { open } from "./source/open";
import { leavingOf } from "./cluster/releases";

/** Shows what applying this content would change in the cluster. Changes nothing. */
export async function diff(
  context: Context,
  name: string,
  words: readonly string[],
  options: DiffOptions,
): Promise<void> {
  const { client, namespace } = await kubectl(context.platforms, options);
  const owner = { name, namespace };
  const { bundle, objects, approval } = await open(context, words, options, { ...owner, client });
  const members = await membersOf(client, objects, owner).catch((error: unknown) => {
    throw error instanceof FaultsError ? new Failure(error.message) : error;
  });
  const { release, leaving } = await leavingOf(
    client,
    owner,
    members.map(({ ref }) => ref),
  );
  const changes = (await forAll(members, (member) => changeOf(client, member))).flat();

  context.print(`digest  ${release?.digest || "none"} → ${approval}`);
  const inCluster = members.filter(({ ref }) => ref.namespace === undefined).map(({ object }) => object);
  const all = members.map(({ object }) => object);
  const asked = await asksIn(client, all, namespace, inCluster, leaving);
  const history = await findApprovals(client, owner);
  if (approvalStatus(history, approval, asked, "more", bundle.digest).state === "open") {
    const request = requestText({ digest: approval, asks: asked }, history, await approversIn(client));
    context.print(["", ...request].join("\n"));
  }
  const lines = [...changes, ...leaving.map((ref) => `- ${describe(ref)}`)];
  context.print(lines.length === 0 ? "\nno object changes" : `\n${lines.join("\n")}`);
}

/** Lines about one object; empty if it stays the same. */
async function changeOf(client: Client, { ref, object, needs, place }: Member): Promise<string[]> {
  const added = `+ ${describe(ref)} (${place})`;
  if (needs === "kind") return [added];
  const live = await client.get(ref);
  if (!live) return [added];
  try {
    const changes = fieldChanges(live, await client.apply(object, { dryRun: true }));
    if (changes.length === 0) return [];
    return [`~ ${describe(ref)} (${place})`, ...changes.map(({ path, words }) => `    ${path}: ${words}`)];
  } catch (error) {
    if (!(error instanceof ApiError) || error.code >= 500 || error.code === 401 || error.code === 429) throw error;
    return [`! ${describe(ref)} (${place})`, `    ${messageOf(error)}`];
  }
}
