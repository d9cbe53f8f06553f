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

const ASSOCIATION = "aws:eks/accessPolicyAssociation:AccessPolicyAssociation";

/**
 * URN in the state of the association of a policy, of which EKS has one for a principal. Under another name, the new one
 * would be rejected, or deleted together with the old one.
 */
export const formerAssociation = (state: StateResources, principal: string, policy: string): string | undefined =>
  Object.entries(state).find(
    ([, { type, outputs }]) =>
      type === ASSOCIATION &&
      outputs["principalArn"] === principal &&
      typeof outputs["policyArn"] === "string" &&
      policyName(outputs["policyArn"]) === policy,
  )?.[0];
