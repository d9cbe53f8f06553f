import { AccessEntry } from "@pulumi/aws/eks";
import type * as pulumi from "@pulumi/pulumi";
import { formerEntry } from "../cluster/onEks/accessEntry";
import type { RoleCluster } from "../cluster/serviceAccountRole/serviceAccountRole";
import type { StateResources } from "../resources/ownState";
import { groupsOfPrincipals, type TeamConfig } from "./plan";

/** Creates the access entries of the principals of teams. */
export function createEntries(
  name: string,
  { name: clusterName, aws }: RoleCluster,
  teams: Readonly<Record<string, TeamConfig>>,
  state: StateResources,
  parent: pulumi.Resource,
): void {
  for (const [principal, groups] of groupsOfPrincipals(teams)) {
    // Account and path: `123456789012/role/data`.
    const own = `${name}-${principal.split(":").slice(4).join("/")}`;
    const former = formerEntry(state, principal);
    const isMoved = former !== undefined && !former.endsWith(`::${own}`);
    new AccessEntry(
      own,
      { clusterName, principalArn: principal, kubernetesGroups: groups },
      { parent, provider: aws, ...(isMoved && { aliases: [former] }) },
    );
  }
}
