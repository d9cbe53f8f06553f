import { requestId, type Approval, type Decision, type Instance } from "../../bundles/approvals/approval";
import { isGuarded, TooOld } from "../../bundles/approvals/guard";
import { requestText } from "../../bundles/approvals/requested";
import { findApprovals, installApprovals, isUnknown, writeApproval } from "../../bundles/approvals/store";
import { approvedBefore, confinedUsers } from "../../bundles/approvals/status";
import { confine } from "../../bundles/approvals/confine/contents";
import type { BundleObject } from "../../bundles/format/format";
import { FaultsError } from "../../kubernetes/work/faults";
import { isolationOf } from "../../provider/resources/bundleRelease/wanted/isolation/policies";
import type { Member } from "../../provider/resources/bundleRelease/wanted/member";
import { membersOf } from "../../provider/resources/bundleRelease/wanted/members";
import type { Client } from "../../kubernetes/client/client";
import type { DecideOptions } from "./options";
import type { Context } from "../context";
import { Failure } from "../../foundation/errors";
import { confirm } from "../terminal/ask";
import { kubectl } from "./cluster/kubectl";
import { subjectOf, type Subject } from "./source/subject";

/** Shows what content asks for, and records that the user approved or denied it. */
export async function decide(
  context: Context,
  decision: Exclude<Decision, "Requested">,
  name: string,
  words: readonly string[],
  options: DecideOptions,
): Promise<void> {
  const { client, namespace } = await kubectl(context.platforms, options);
  const bundle = { name, namespace };
  const history = await findApprovals(client, bundle);
  const subject = await subjectOf(context, client, bundle, history, words, options);
  if (decision === "Approved" && options.yes === true) requireNamed(subject, options);
  const confined = [...new Set([...confinedUsers(history), ...(options.confine ?? [])])];
  if (confined.length > 0 && decision === "Approved" && subject.objects === undefined)
    throw new Failure(
      `${confined.join(", ")} may apply only the approved content of bundle ${namespace}/${name}, which must be read here: name its sources`,
    );
  if (options.yes !== true) {
    process.stderr.write(`${described(subject, history).join("\n")}\n`);
    const verb = decision === "Approved" ? "Approve" : "Deny";
    if (!(await confirm(`${verb} bundle ${namespace}/${name} at ${subject.digest}?`))) return;
  }
  const { digest, asks } = subject;
  const { reason } = options;
  const approval = { bundle, digest, decision, asks, confined, ...(reason === undefined ? {} : { reason }) };
  // The first decision in this cluster, or someone has removed its protection.
  if (!(await isKept(client, bundle))) await install(client);
  const revokes = decision === "Denied" && approvedBefore(history)?.digest === digest;
  if (confined.length > 0 && revokes) await confine(client, bundle, confined, []);
  const { by } = await writeApproval(client, approval);
  if (confined.length > 0 && decision === "Approved")
    await confine(client, bundle, confined, await applied(client, bundle, subject.objects ?? []));
  context.print(`bundle ${namespace}/${name} at ${digest}: ${decision.toLowerCase()} by ${by}`);
}

/** With `--yes` nothing is shown, so that a request could be another one than the one that was read. */
function requireNamed({ request }: Subject, { digest, request: id }: DecideOptions): void {
  if (request === undefined || digest !== undefined || id !== undefined) return;
  throw new Failure(
    `found --yes without the request that you read; expected --request ${requestId(request)} (${request.digest}, by ${request.by})`,
  );
}

/** The objects as they will be applied, with the policies that a release may generate for them. */
async function applied(client: Client, bundle: Instance, objects: readonly BundleObject[]): Promise<Member[]> {
  try {
    return await membersOf(client, [...objects, ...isolationOf(objects, bundle.name, bundle.namespace)], bundle);
  } catch (error) {
    throw error instanceof FaultsError ? new Failure(error.message) : error;
  }
}

/** False if the cluster has no approvals, or does not protect them. */
async function isKept(client: Client, bundle: Instance): Promise<boolean> {
  try {
    return (await isGuarded(client, bundle)) !== false;
  } catch (error) {
    if (isUnknown(error)) return false;
    throw error;
  }
}

async function install(client: Client): Promise<void> {
  try {
    await installApprovals(client);
  } catch (error) {
    if (error instanceof TooOld) throw new Failure(error.message);
    throw error;
  }
}

export function described({ request, ...asked }: Subject, history: readonly Approval[]): string[] {
  const from = `Requested by ${request?.by}; an approval permits no more than this. Name its sources to read them here.`;
  return [...(request === undefined ? [] : [from]), ...requestText(asked, history, [])];
}
