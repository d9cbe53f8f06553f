import { requestId, sameInstance, type Approval, type Instance } from "../../../bundles/approvals/approval";
import type { Client } from "../../../kubernetes/client/client";
import {
  BUNDLE_LABEL,
  extentFrom,
  parentRef,
  setId,
  type Extent,
} from "../../../provider/resources/bundleRelease/applySet";
import { membersIn, memberRef } from "../../../provider/resources/bundleRelease/live/live";
import { isPaused, RECONCILED_AT } from "../../../provider/resources/bundleRelease/reconcile/plan";
import { identity, textAt, type Ref } from "../../../kubernetes/objects/objects";

/** A bundle in a cluster, read from the parent object of its apply set. */
interface Release extends Instance {
  /** Digest of the applied content and its values; undefined while the first update is incomplete. */
  readonly digest: string | undefined;
  /** Kinds and namespaces of its objects. */
  readonly extent: Extent;
  readonly since: Date;
  /** When the service restored something of it last; undefined if never. */
  readonly restoredAt: string | undefined;
  /** Whether its reconciliation is paused. */
  readonly paused: boolean;
}

/** Bundles in a namespace, or in all. Skips similar objects of other tools. */
export async function releasesIn(client: Client, namespace?: string): Promise<Release[]> {
  const parents = await client.list({ apiVersion: "v1", kind: "ConfigMap", namespace }, { label: SELECTOR });
  return parents.flatMap((parent) => {
    const { labels = {}, creationTimestamp = "" } = parent.metadata;
    const owner = { name: labels[BUNDLE_LABEL] ?? "", namespace: parent.metadata.namespace ?? "" };
    if (parent.metadata.name !== parentRef(owner).name || labels[ID_LABEL] !== setId(owner)) return [];
    const digest = textAt(parent, "data", "digest");
    const restoredAt = parent.metadata.annotations?.[RECONCILED_AT];
    const extent = extentFrom(parent, owner);
    return [{ ...owner, digest, extent, since: new Date(creationTimestamp), restoredAt, paused: isPaused(parent) }];
  });
}

/** A bundle in its cluster if it is there, and its objects that are not wanted any more. */
export async function leavingOf(
  client: Client,
  bundle: Instance,
  wanted: readonly Ref[],
): Promise<{ readonly release: Release | undefined; readonly leaving: readonly Ref[] }> {
  const release = (await releasesIn(client, bundle.namespace)).find(({ name }) => name === bundle.name);
  if (release === undefined) return { release, leaving: [] };
  const known = new Set(wanted.map(identity));
  const there = await membersIn(client, bundle, release.extent, wanted);
  return { release, leaving: there.map(memberRef).filter((ref) => !known.has(identity(ref))) };
}

const ID_LABEL = "applyset.kubernetes.io/id";
const SELECTOR = `${BUNDLE_LABEL},${ID_LABEL}`;

/** Returns the last request without a later decision. */
export const openRequest = (approvals: readonly Approval[], bundle: Instance): Approval | undefined =>
  openRequests(approvals.filter((approval) => sameInstance(approval.bundle, bundle))).at(-1);

/**
 * Returns the requests of a bundle without a later decision about their content, oldest first, each once. A request is
 * over when one that was made after it is approved.
 */
export function openRequests(history: readonly Approval[]): Approval[] {
  const decided = (at: number, of: (one: Approval) => boolean): boolean =>
    history.slice(at + 1).some((later) => later.digest === history[at]?.digest && of(later));
  const isRequest = (at: number): boolean => history[at]?.decision === "Requested";
  const over = history.findLastIndex(
    (_, at) => isRequest(at) && decided(at, ({ decision }) => decision === "Approved"),
  );
  const open = history.filter(
    (_, at) => at > over && isRequest(at) && !decided(at, ({ decision }) => decision !== "Requested"),
  );
  return [...new Map(open.map((one) => [requestId(one), one])).values()];
}

/** Returns the last decision about the applied content. */
export const decisionOn = (
  approvals: readonly Approval[],
  { digest, ...bundle }: Instance & { digest?: string },
): Approval | undefined =>
  approvals.findLast(
    (approval) =>
      approval.decision !== "Requested" && approval.digest === digest && sameInstance(approval.bundle, bundle),
  );

/** `approved by ada`. */
export const decisionText = (approval: Approval | undefined): string =>
  approval === undefined ? "-" : `${approval.decision.toLowerCase()} by ${approval.by}`;
