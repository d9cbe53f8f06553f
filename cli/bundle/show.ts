import { requestId, sameInstance } from "../../bundles/approvals/approval";
import { approversIn, newIn, requestText } from "../../bundles/approvals/requested";
import { allApprovals } from "../../bundles/approvals/store";
import { asksText } from "../../bundles/permissions/text";
import { membersIn, memberRef } from "../../provider/resources/bundleRelease/live/live";
import { RECONCILE_ANNOTATION } from "../../provider/resources/bundleRelease/reconcile/plan";
import { describe } from "../../kubernetes/objects/objects";
import type { BundleShowOptions } from "./options";
import type { Context } from "../context";
import { Failure } from "../../foundation/errors";
import { count } from "../../foundation/text/numbers";
import { kubectl } from "./cluster/kubectl";
import { structured } from "../options/output";
import { decisionOn, decisionText, openRequests, releasesIn } from "./cluster/releases";

/** Shows the status of one bundle in a cluster. */
export async function showRelease(context: Context, name: string, options: BundleShowOptions): Promise<void> {
  const { client, namespace } = await kubectl(context.platforms, options);
  const [releases, approvals] = await Promise.all([releasesIn(client, namespace), allApprovals(client)]);
  const release = releases.find((one) => one.name === name);
  const history = approvals.filter(({ bundle }) => sameInstance(bundle, { name, namespace }));
  const open = openRequests(history);
  if (release === undefined && open.length === 0) {
    const known = releases.map((one) => one.name).sort();
    const there = known.length === 0 ? "there is none" : `there is ${known.join(", ")}`;
    throw new Failure(`no bundle ${name} in namespace ${namespace}; ${there}`);
  }
  const members = release === undefined ? [] : await membersIn(client, release, release.extent, []);
  const objects = members.map((member) => describe(memberRef(member))).sort();
  const decision = release && decisionOn(approvals, { name, namespace, digest: release.digest });
  const { digest, since, restoredAt, paused } = release ?? {};
  const applied = release && { digest, since, restoredAt, paused, objects };
  const approvers = open.length === 0 ? [] : await approversIn(client);
  const requests = open.map((one) => ({ id: requestId(one), ...one, new: newIn(one, history), approvers }));
  const text = structured({ name, namespace, ...applied, decision, requests }, options);
  if (text !== undefined) return context.print(text);
  context.print(`bundle    ${namespace}/${name}`);
  if (release !== undefined) {
    context.print(`digest    ${release.digest || "none: it was never applied to its end"}`);
    context.print(`decision  ${decisionText(decision)}`);
    context.print(`since     ${release.since.toISOString()}`);
    if (restoredAt !== undefined) context.print(`restored  ${restoredAt}`);
    if (paused === true) context.print(`paused    its reconciliation, by the annotation ${RECONCILE_ANNOTATION}`);
  }
  for (const one of open)
    section(context, `Request ${requestId(one)} for ${one.digest}, by ${one.by}`, requestText(one, history, approvers));
  if (open.length === 0 && decision) section(context, "What was approved", asksText(decision.asks));
  section(context, count(objects.length, "object"), objects);
}

function section(context: Context, title: string, lines: readonly string[]): void {
  if (lines.length > 0) context.print(["", `${title}:`, ...lines.map((line) => `  ${line}`)].join("\n"));
}
