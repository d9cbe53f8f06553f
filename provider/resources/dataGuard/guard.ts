/** Refuses and warns about the loss of data. */

import { type Context, hasUnknown } from "../../../foundation/pulumi/resource";
import { UnreachableError } from "../../../kubernetes/client/apiError";
import type { Client } from "../../../kubernetes/client/client";
import { connect } from "../../../kubernetes/connect/connect";
import { CLAIM } from "../../../kubernetes/claims/claims";
import { allowedNames, readAllowance, type ClaimName } from "../../../kubernetes/guard/allowance";
import { openGuard, refuseLoss } from "../../../kubernetes/guard/guard";
import { unlessForbidden } from "../../../kubernetes/client/lookUp";
import { forAll } from "../../../kubernetes/client/pool";
import { claimsIn, claimsLost } from "../../../kubernetes/guard/losses";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { claimsLostBySet } from "../../../kubernetes/remove/setLosses";
import { Unknown } from "../../../kubernetes/work/unknown";
import { claimsLostByRelease } from "../bundleRelease/apply/losses";
import { unwantedRefs } from "../bundleRelease/applyRelease";
import { extentFrom, parentRef } from "../bundleRelease/applySet";
import type { Taker } from "../bundleRelease/inputs";
import { parted } from "../bundleRelease/ownership/takers";
import { partKey, takersAmong, type GuardInputs, type Part, type PartType } from "./inputs";
import { currentOwners, markOwners, requireOwners, requireReleases } from "./owners";

/** Returns the claims that are lost when parts of a platform are deleted. Changes nothing. */
type Find = (client: Client, part: Part, takers: readonly Taker[]) => Promise<KubeObject[]>;

const FIND: Readonly<Record<PartType, Find>> = {
  set: (client, { namespace, name, inventory = [] }) => {
    const owner = { namespace, set: name };
    return claimsLostBySet(client, owner, inventory, { namespace, objects: [] });
  },
  bundle: async (client, { namespace, name, allowDeletion = [] }, takers) => {
    const release = { namespace, name, allowDeletion, takers };
    const parent = await client.get(parentRef(release));
    if (!parent) return [];
    const members = await unwantedRefs({ client }, release, extentFrom(parent, release), [], []);
    return claimsLostByRelease(client, release, parted(members, release).going);
  },
  release: async (client, part) => {
    const { namespace } = part;
    const sets = await client.list({ apiVersion: "apps/v1", kind: "StatefulSet", namespace });
    const claims = (await claimsIn(client, namespace)).filter((claim) => isOfRelease(claim, part));
    const objects = sets.filter((set) => isOfRelease(set, part));
    return claimsLost(client, { objects, claims });
  },
  // Its destroy is the request to delete what is in it.
  shoot: () => Promise.resolve([]),
};

/** `takers`: bundles that stay, with what they take over from others. */
const claimsLostByPart: Find = (client, part, takers) => FIND[part.type](client, part, takers);

/** Whether Helm deletes the object with its release. */
function isOfRelease({ metadata: { annotations = {} } }: KubeObject, { namespace, name }: Part): boolean {
  const { "meta.helm.sh/release-name": release, "meta.helm.sh/release-namespace": place } = annotations;
  return release === name && place === namespace && annotations["helm.sh/resource-policy"] !== "keep";
}

/** For previews and requests that can do without the result. */
const SHORT_PATIENCE_MS = 2_000;

const clientsFor =
  ({ preview, signal }: Context) =>
  (part: Part): Client =>
    connect(part.kubeconfig, part.context, { signal, patienceMs: preview ? SHORT_PATIENCE_MS : undefined });

/** Records which generations of the parts this state of the stack has, so that an older one is refused. */
export async function mark(context: Context, parts: readonly Part[]): Promise<void> {
  await markOwners(clientsFor(context), parts);
}

/** A state that is older than the records becomes current by a refresh. */
export async function refreshed(context: Context, parts: readonly Part[]): Promise<readonly Part[]> {
  try {
    return await currentOwners(context, clientsFor(context), parts);
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    context.log("warning", `${error.message}; so the owners of ${parts.length} parts were not read`);
    return parts;
  }
}

/**
 * Throws if a part belongs to a newer state or, of a Helm release, to another stack; or if the deletion of these parts
 * would lose claims without permission, and names all of them. Claims that a remaining part takes over are not lost.
 */
export async function refuseParts(
  context: Context,
  parts: readonly Part[],
  staying: readonly Part[] = [],
): Promise<void> {
  const [first] = parts;
  if (!first) return;
  const clientOf = clientsFor(context);
  const what =
    parts.length > 3 ? `deleting ${parts.length} parts of the platform` : `deleting ${parts.map(partKey).join(", ")}`;
  const guard = openGuard(clientOf(first), context.urn);
  const unknown = context.preview ? new Unknown() : undefined;
  try {
    await requireOwners(context, clientOf, parts);
    if (staying.length === 0) await requireReleases(context, clientOf, parts);
    await refuseLoss({ guard }, what, async () =>
      (await forAll(parts, (part) => claimsLostByPart(clientOf(part), part, takersAmong(staying)))).flat(),
    );
  } catch (error) {
    if (unknown?.note(error)) return unknown.log((severity, words) => context.log(severity, words));
    if (!(error instanceof UnreachableError)) throw error;
    if (!context.preview) throw unreachable(error, context.urn);
    context.log("warning", `${error.message}; so it is unknown which claims would be deleted`);
  }
}

const unreachable = (error: Error, urn: string): Error =>
  new Error(
    `${error.message}, so it is unknown which claims would be deleted. If the cluster is gone for good, forget the guard: ` +
      `pulumi state delete '${urn}'`,
    { cause: error },
  );

/** Warns about permissions that match no claim: a mistake, or no longer needed. */
export async function warnOfUnused(context: Context, inputs: GuardInputs): Promise<void> {
  const names = allowedNames(readAllowance());
  const own = inputs.kubeconfig === undefined ? [] : [inputs];
  const places = [...own, ...inputs.parts].map(({ kubeconfig, context: name }) => ({ kubeconfig, name }));
  if (names.length === 0 || hasUnknown(places)) return;
  const distinct = new Map(places.map((place) => [JSON.stringify(place), place]));
  const clients = [...distinct.values()].map(({ kubeconfig, name }) =>
    connect(kubeconfig, name, { signal: context.signal, patienceMs: SHORT_PATIENCE_MS }),
  );
  try {
    await forAll(names, async (name) => {
      const found = await Promise.all(clients.map((client) => isThere(client, name)));
      if (!found.includes(true)) context.log("warning", unused(name));
    });
  } catch (error) {
    // An unreachable cluster is checked next time.
    if (!(error instanceof UnreachableError)) throw error;
  }
}

/** Without the permission to read it, a claim counts as existing. */
async function isThere(client: Client, { namespace, name }: ClaimName): Promise<boolean> {
  const found = await unlessForbidden(
    name === "*"
      ? client.list({ ...CLAIM, namespace }, { metadataOnly: true, most: 1 })
      : client.get({ ...CLAIM, namespace, name }).then((claim) => (claim ? [claim] : [])),
  );
  return found === undefined || found.length > 0;
}

const unused = ({ namespace, name }: ClaimName): string =>
  `stackyard:allowDataLoss: ${namespace}/${name} names no claim; correct it, or remove it where the claim has been deleted`;
