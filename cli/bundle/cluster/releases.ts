import type { Approval, Instance } from "../../../bundles/approvals/approval";
import { sameInstance } from "../../../bundles/approvals/approval";
import type { Client } from "../../../kubernetes/client/client";
import {
  BUNDLE_LABEL,
  extentFrom,
  parentRef,
  setId,
  type Extent,
} from "../../../provider/resources/bundleRelease/live/applySet";
import { textAt } from "../../../kubernetes/client/objects";

/** A bundle that is in a cluster, as the parent object of its apply set reports it. */
export interface Release extends Instance {
  /** Of the content that was applied to its end, and of its values where it has any; undefined while the first time is in progress. */
  readonly digest: string | undefined;
  /** Kinds and namespaces that its objects are in. */
  readonly extent: Extent;
  readonly since: Date;
}

/** Those in a namespace, or in all. What only looks like one is skipped. */
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

/** What somebody wanted to apply last and nobody decided about since. */
export function openRequest(approvals: readonly Approval[], bundle: Instance): Approval | undefined {
  const history = approvals.filter((approval) => sameInstance(approval.bundle, bundle));
  const last = history.findLastIndex(({ decision }) => decision === "Requested");
  const request = history[last];
  const decided = history.slice(last + 1).some(({ digest }) => digest === request?.digest);
  return decided ? undefined : request;
}

/** The last decision about what is applied. */
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
