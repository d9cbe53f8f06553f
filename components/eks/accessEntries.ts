/** The access entries of a cluster, of whatever key of the config. Pure. */

import type { StateResources } from "../resources/ownState";
import { READERS_GROUP, type EksConfig } from "../cluster/onEks/eksConfig";

/** An access policy with its scope: namespaces, which may be patterns, or the whole cluster if they are not set. */
export interface GrantedPolicy {
  /** Name without the prefix of its ARN. */
  readonly policy: string;
  readonly namespaces?: readonly string[];
}

export interface PlannedEntry {
  /** Unique suffix of resource names, such as `admin/ci`. */
  readonly key: string;
  /** Path of the principal under `access`. */
  readonly path: readonly string[];
  readonly principal: string;
  readonly groups: readonly string[];
  readonly policies: readonly GrantedPolicy[];
}

type Access = EksConfig["access"];

const ADMIN = "AmazonEKSClusterAdminPolicy";

export const plannedEntries = ({ admins, readers, entries }: Pick<Access, "admins" | "readers" | "entries">) => [
  ...Object.entries(admins).map(([name, principal]): PlannedEntry => ({
    key: `admin/${name}`,
    path: ["admins", name],
    principal,
    groups: [],
    policies: [{ policy: ADMIN }],
  })),
  ...Object.entries(readers).map(([name, principal]): PlannedEntry => ({
    key: `reader/${name}`,
    path: ["readers", name],
    principal,
    groups: [READERS_GROUP],
    policies: [{ policy: "AmazonEKSViewPolicy" }],
  })),
  ...Object.entries(entries).map(([name, { principal, groups, policies }]): PlannedEntry => ({
    key: `entry/${name}`,
    path: ["entries", name, "principal"],
    principal,
    groups,
    policies: policies.map(({ policy, namespaces }) => ({
      policy: policyName(policy),
      ...(namespaces && { namespaces }),
    })),
  })),
];

/** Name of a policy that is given by its name or its ARN. */
export const policyName = (policy: string): string => policy.split("/").at(-1) ?? policy;

/** Whether the principal may do anything on the cluster. */
export const isAdmin = ({ policies }: PlannedEntry): boolean =>
  policies.some(({ policy, namespaces }) => policy === ADMIN && namespaces === undefined);

/** Suffix of the resource name of a policy's association. Those of `admins` and `readers` have only one. */
export const associationKey = ({ key, path }: PlannedEntry, { policy }: GrantedPolicy): string =>
  path[0] === "entries" ? `${key}/${policy}` : key;

const ENTRY = "aws:eks/accessEntry:AccessEntry";
const ASSOCIATION = "aws:eks/accessPolicyAssociation:AccessPolicyAssociation";

/** Names in the state of what a principal has, by which a principal that moves to another key keeps it. */
export interface FormerNames {
  readonly entry: (principal: string) => string | undefined;
  readonly association: (principal: string, policy: string) => string | undefined;
}

/**
 * EKS has one entry for each principal and one association for each of its policies. Under another name, the new one
 * would be rejected, or deleted together with the old one.
 */
export function formerNames(state: StateResources): FormerNames {
  const all = Object.entries(state).map(([urn, { type, outputs }]) => ({
    name: urn.split("::").at(-1),
    type,
    principal: outputs["principalArn"],
    policy: typeof outputs["policyArn"] === "string" ? policyName(outputs["policyArn"]) : undefined,
  }));
  return {
    entry: (principal) => all.find((one) => one.type === ENTRY && one.principal === principal)?.name,
    association: (principal, policy) =>
      all.find((one) => one.type === ASSOCIATION && one.principal === principal && one.policy === policy)?.name,
  };
}
