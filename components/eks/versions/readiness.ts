/** Asks EKS whether it would change the Kubernetes version of a cluster, before an update begins. */

import type * as eks from "@aws-sdk/client-eks";
import * as pulumi from "@pulumi/pulumi";
import { messageOf } from "../../../foundation/errors";
import type { EksConfig } from "../../cluster/onEks/eksConfig";
import { minorOf } from "../changes";

/** What EKS knows about a change of version. */
export interface Readiness {
  readonly insights: readonly Pick<eks.InsightSummary, "name" | "insightStatus">[];
  /** Updates of the cluster, in any order; only asked for a rollback. */
  readonly updates: readonly Pick<eks.Update, "type" | "status" | "params" | "createdAt">[];
}

interface Wanted extends Pick<EksConfig, "name" | "region" | "version" | "forceUpdate"> {
  /** Whether this update rolls only the nodes back, so that errors of insights may be about them. */
  readonly nodesFirst?: boolean | undefined;
}

/** How long EKS can roll a control plane back. Source: the EKS user guide, "Roll back a cluster". */
const WINDOW_DAYS = 7;
const DAY_MS = 86_400_000;

/** Warnings, and a fault if EKS would reject the change; pure. `now`: milliseconds since the epoch. */
export function judgeChange(
  { insights, updates }: Readiness,
  from: string,
  { name, region, version: to, forceUpdate, nodesFirst = false }: Wanted,
  now: number,
): { readonly warnings: readonly string[]; readonly fault?: string } {
  const isRollback = minorOf(to) < minorOf(from);
  const found = `stackyard:cluster.version: found "${to}", and the cluster runs ${from}`;
  const window = isRollback ? windowFault(updates, from, to, now) : undefined;
  if (window !== undefined) return { warnings: [], fault: `${found}; ${window}` };
  const listed = (status: string): string[] =>
    insights.flatMap(({ name: insight, insightStatus }) =>
      insightStatus?.status === status ? [`  - ${insight}: ${insightStatus.reason ?? "no reason"}`] : [],
    );
  const [errors, warnings] = [listed("ERROR"), listed("WARNING")];
  const what = `EKS' insights into ${isRollback ? "the rollback" : "the upgrade"} to ${to}`;
  const noted = warnings.length > 0 ? [`${what} warn:\n${warnings.join("\n")}`] : [];
  if (errors.length === 0) return { warnings: noted };
  if (forceUpdate || nodesFirst) {
    const when = nodesFirst ? "are looked at again after the nodes" : "forceUpdate overrides";
    return { warnings: [...noted, `${what} have errors, which ${when}:\n${errors.join("\n")}`] };
  }
  const fault = [
    `${found}; expected no errors in ${what}:`,
    ...errors,
    `Fix them and wait until EKS has looked again (aws eks list-insights --cluster-name ${name} --region ${region}), or set forceUpdate: true, with which EKS goes on.`,
  ];
  return { warnings: noted, fault: fault.join("\n") };
}

/** What is expected if EKS can't roll back; undefined if it can. */
function windowFault(updates: Readiness["updates"], from: string, to: string, now: number): string | undefined {
  const [last] = updates
    .filter(({ type, status }) => /^Version(Update|Rollback)$/.test(type ?? "") && status === "Successful")
    .toSorted((a, b) => Number(b.createdAt) - Number(a.createdAt));
  const isUpgrade =
    last?.type === "VersionUpdate" && last.params?.some(({ type, value }) => type === "Version" && value === from);
  if (!isUpgrade)
    return `expected ${from} or more: EKS rolls back only what it upgraded, and it did not upgrade this cluster from ${to}`;
  const days = (now - Number(last.createdAt)) / DAY_MS;
  return days <= WINDOW_DAYS
    ? undefined
    : `expected ${from} or more: EKS rolls back within ${WINDOW_DAYS} days, and the upgrade was ${Math.floor(days)} days ago`;
}

/** Warns, or throws if EKS would reject the change of version. What EKS does not say is a warning. */
export async function checkReadiness(
  wanted: Wanted,
  from: string | undefined,
  ask: (wanted: Wanted, isRollback: boolean) => Promise<Readiness> = askEks,
): Promise<void> {
  if (from === undefined || from === wanted.version) return;
  let seen: Readiness;
  try {
    seen = await ask(wanted, minorOf(wanted.version) < minorOf(from));
  } catch (error) {
    return pulumi.log.warn(
      `Whether ${wanted.name} is ready for ${wanted.version} is not known: EKS does not show its insights: ${messageOf(error)}`,
    );
  }
  const { warnings, fault } = judgeChange(seen, from, wanted, Date.now());
  for (const warning of warnings) await pulumi.log.warn(warning);
  if (fault !== undefined) throw new pulumi.RunError(`${fault}\nNothing was changed.`);
}

async function askEks({ name, region, version }: Wanted, isRollback: boolean): Promise<Readiness> {
  const sdk = await import("@aws-sdk/client-eks");
  const client = new sdk.EKSClient({ region });
  try {
    const category = isRollback ? sdk.Category.ROLLBACK_READINESS : sdk.Category.UPGRADE_READINESS;
    const filter = { categories: [category], kubernetesVersions: [version] };
    const insights: eks.InsightSummary[] = [];
    for await (const page of sdk.paginateListInsights({ client }, { clusterName: name, filter }))
      insights.push(...(page.insights ?? []));
    const updates: eks.Update[] = [];
    if (isRollback) {
      for await (const { updateIds = [] } of sdk.paginateListUpdates({ client }, { name })) {
        for (const updateId of updateIds) {
          const { update } = await client.send(new sdk.DescribeUpdateCommand({ name, updateId }));
          if (update) updates.push(update);
        }
      }
    }
    return { insights, updates };
  } finally {
    client.destroy();
  }
}
