/** The function `readCluster`: which cluster an address leads to, and what of a stack belongs to others there. */

import type { Client } from "../../kubernetes/client/client";
import { ifKnown, unlessForbidden } from "../../kubernetes/client/lookUp";
import { forAll } from "../../kubernetes/client/pool";
import { connect } from "../../kubernetes/connect/connect";
import { clusterUid } from "../../kubernetes/identity/clusterUid";
import { RECORD_LABEL, recordOn, urnLabel } from "../../kubernetes/owners/annotations";
import { isCurrent, ownerText } from "../../kubernetes/owners/judge";
import { offerTo, stackOf } from "../../kubernetes/owners/record";
import { isPreviewed } from "../../foundation/pulumi/adoption";
import type { FunctionHandler, Question } from "../framework/function";
import { noteOffer } from "../../kubernetes/owners/offered";

export interface ClusterQuestion {
  /** Default: the cluster that the program runs in. */
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Namespace of a Gardener project, whose UID identifies a garden. Default: it is a cluster. */
  readonly project?: string;
  /** UID of the cluster that these are in. */
  readonly expected: string;
  /** What the state of the stack owns there. */
  readonly owned: readonly OwnedRecord[];
}

/** The ConfigMap that records an owner, and what the owner's state says. */
export interface OwnedRecord {
  readonly urn: string;
  readonly namespace: string;
  readonly name: string;
  readonly owner: string;
  readonly generation: number;
  /** Namespace and name of the set or bundle. */
  readonly place: string;
}

export interface ClusterAnswer {
  /** Missing if the user may not read it. */
  readonly uid?: string;
  /** The owners of what belongs to others, in the order of the question; an empty text for the rest. */
  readonly others?: readonly string[];
  /** Why the cluster did not answer. */
  readonly trouble?: string;
}

/** Short, because the first resource reports that the cluster does not answer. */
const PATIENCE_MS = 2_000;

export const readCluster: FunctionHandler<ClusterQuestion, ClusterAnswer> = async (
  question,
  { kubeconfig, context, project, expected, owned },
) => {
  const { signal } = question;
  try {
    const client = connect(kubeconfig, context, { signal, patienceMs: PATIENCE_MS });
    const uid = await clusterUid(client, project);
    if (uid !== undefined && uid !== expected) return { uid };
    return { ...(uid !== undefined && { uid }), others: await othersOf(client, question, owned) };
  } catch (error) {
    signal.throwIfAborted();
    return { trouble: error instanceof Error ? error.message : String(error) };
  }
};

/** Costs one request, and one for each record that the stack does not have any more. */
async function othersOf(client: Client, question: Question, owned: readonly OwnedRecord[]): Promise<string[]> {
  if (owned.length === 0) return [];
  const label = `${RECORD_LABEL} in (${owned.map(({ urn }) => urnLabel(urn)).join(",")})`;
  const type = { apiVersion: "v1", kind: "ConfigMap" };
  const found = await unlessForbidden(client.list(type, { label, metadataOnly: true }));
  if (found === undefined) return [];
  return forAll(owned, async ({ urn, namespace, name, owner, generation, place }) => {
    const isIt = ({ metadata }: (typeof found)[number]): boolean =>
      metadata.namespace === namespace && metadata.name === name;
    const live = found.find(isIt) ?? (await ifKnown(client.get({ ...type, namespace, name }, { metadataOnly: true })));
    const record = live ? recordOn(live) : undefined;
    if (record === undefined || (record.owner === owner && isCurrent(record, { generation }))) return "";
    const isOffered = record.offeredTo === offerTo(stackOf({ ...question, urn })) || isPreviewed(place, true);
    if (!isOffered) return ownerText(record);
    noteOffer({ ...question, urn });
    return "";
  });
}
