import { mismatch, renderPath, type Path } from "../../foundation/schema/faults";
import type { ClusterConfig } from "../cluster/clusterConfig";
import { expectedPrincipal } from "../cluster/onEks/accessEntry";
import type { DecodeContext } from "../contract/decoding";
import { namespaceConfig } from "../namespaces/settings";
import type { TeamConfig } from "./plan";
import type { TeamsInput } from "./schema";

/** Decodes teams. Adds faults for namespaces and principals that they can't have. */
export function decodeTeams(input: TeamsInput, { offers, faults }: DecodeContext): Record<string, TeamConfig> {
  const { isGiven, config: cluster } = offers.cluster;
  if (Object.keys(input).length > 0 && !isGiven)
    faults.push(mismatch(["cluster"], "nothing", "the cluster of the teams"));
  return Object.fromEntries(
    Object.entries(input).map(([name, { principals, group = `team-${name}`, role, namespace = name, ...rest }]) => {
      const base = ["teams", name];
      if (/^kube-|^default$/.test(namespace)) {
        const path = input[name]?.namespace === undefined ? base : [...base, "namespace"];
        faults.push(mismatch(path, `the namespace ${namespace}`, "another one, which Kubernetes does not have itself"));
      }
      principals.forEach((principal, index) => {
        const expected = expectedOf(principal, principals.indexOf(principal) < index, cluster, isGiven);
        if (expected !== undefined)
          faults.push(mismatch([...base, "principals", index], JSON.stringify(principal), expected));
      });
      return [name, { namespace, group, role, principals, protection: namespaceConfig(rest) }];
    }),
  );
}

/** The expected value for a principal that can't be a team's; undefined for another one. */
function expectedOf(
  principal: string,
  isSecond: boolean,
  cluster: ClusterConfig | undefined,
  isGiven: boolean,
): string | undefined {
  if (isSecond) return "each principal once";
  // The faults of the cluster are reported with it.
  if (!isGiven || cluster === undefined) return undefined;
  if (cluster.type !== "eks")
    return "nothing, because the platform has no access entries on a cluster that it did not create; give its users the group";
  const owner = ownerOf(principal, cluster.eks.access);
  return owner === undefined
    ? expectedPrincipal(principal, cluster.eks)
    : `a principal without an access entry; it is ${renderPath(owner)}. Add the group to an entry of access.entries instead`;
}

type Access = Extract<ClusterConfig, { readonly type: "eks" }>["eks"]["access"];

/** Path of a principal in the access of the cluster. */
function ownerOf(principal: string, { admins, readers, entries }: Access): Path | undefined {
  const given: [string, string, string][] = [
    ...Object.entries(admins).map(([name, arn]): [string, string, string] => ["admins", name, arn]),
    ...Object.entries(readers).map(([name, arn]): [string, string, string] => ["readers", name, arn]),
    ...Object.entries(entries).map(([name, { principal: arn }]): [string, string, string] => ["entries", name, arn]),
  ];
  const found = given.find(([, , arn]) => arn === principal);
  return found && ["cluster", "access", found[0], found[1]];
}
