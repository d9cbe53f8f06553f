/** Access entries of a cluster on EKS, of whatever key of the config. Pure. */

import type { StateResources } from "../../resources/ownState";
import { nodeRole, type OnEks } from "./onEks";
import { partitionOf } from "./regions";

const ENTRY = "aws:eks/accessEntry:AccessEntry";

/**
 * URN in the state of the entry of a principal. EKS has one for each principal: one that moves to another key keeps it,
 * because a new one would be rejected, or deleted together with the old one.
 */
export const formerEntry = (state: StateResources, principal: string): string | undefined =>
  Object.entries(state).find(([, { type, outputs }]) => type === ENTRY && outputs["principalArn"] === principal)?.[0];

/** The expected value for a principal that EKS rejects; undefined for another one. */
export function expectedPrincipal(
  arn: string,
  cluster: Pick<OnEks, "name" | "roles"> & { readonly region: string },
): string | undefined {
  const partition = partitionOf(cluster.region);
  if (!arn.startsWith(`arn:${partition}:`)) return `a principal of arn:${partition}, as ${cluster.region} is in it`;
  if (arn.includes(":role/aws-service-role/")) return "another principal: EKS has no entries for service-linked roles";
  return arn.endsWith(`:role/${nodeRole(cluster)}`)
    ? "another principal: EKS makes the entry of the role of the nodes"
    : undefined;
}
