import type { Approval, Instance } from "../../../bundles/approvals/approval";
import { sameInstance } from "../../../bundles/approvals/approval";
import type { Client } from "../../../kubernetes/client/client";
import {
  BUNDLE_LABEL,
  extentFrom,
  parentRef,
  setId,
  type Extent,
} from "../../../provider/resources/bundleRelease/applySet";
import { textAt } from "../../../kubernetes/objects/objects";

/** A bundle in a cluster, read from the parent object of its apply set. */
interface Release extends Instance {
  /** Digest of the applied content and its values; undefined while the first update is incomplete. */
  readonly digest: string | undefined;
  /** Kinds and namespaces of its objects. */
  readonly extent: Extent;
  readonly since: Date;
}

/** Bundles in a namespace, or in all. Skips similar objects of other tools. */
export async function releasesIn(client: Client, namespace?: string): Promise<Release[]> {
  const parents = await client.list({ apiVersion: "v1", kind: "ConfigMap", namespace }, { label: SELECTOR });
  return parents.flatMap((parent) => {
    const { labels = {}, creationTimestamp = "" } = parent.metadata;
    const owner = { name: labels[BUNDLE_LABEL] ?? "", namespace: parent.metadata.namespace ?? "" };
    if (parent.metadata.name !== parentRef(owner).name || labels[ID_LABEL] !== setId(owner)) return [];
    const digest = textAt(parent, "data", "digest");
    return [{ ...owner, digest, extent: extentFrom(parent, owner), since: new Date(creationTimestamp) }];
  });
}

const ID_LABEL = "applyset.kubernetes.io/id";
const SELECTOR = `${BUNDLE_LABEL},${ID_LABEL}`;

/** Returns the last request without a later decision. */
export function openRequest(approvals: readonly Approval[], bundle: Instance): Approval | undefined {
  const history = approvals.filter((approval) => sameInstance(approval.bundle, bundle));
  const last = history.findLastIndex(({ decision }) => decision === "Requested");
  const request = history[last];
  const decided = history.slice(last + 1).some(({ digest }) => digest === request?.digest);
  return decided ? undefined : request;
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
