import * as z from "zod";
import { groupName, principal } from "../../cluster/onEks/accessFields";
import { checkedText, flag, matching, oneOf, strict } from "../../../foundation/schema/fields";

/** Schema of the access entries of a cluster. */

const entryName = () => matching(/^[a-z0-9][a-z0-9-]{0,39}$/, "a name of a-z 0-9 -");

const principals = (who: string) =>
  z
    .record(entryName(), principal, { error: "an object of ARNs by name" })
    .default({})
    .describe(`IAM principals ${who}, each under a name that you choose.`);

/** A namespace, or a pattern of namespaces. EKS knows the wildcard `*`. */
const SCOPE = /^[a-z0-9*]([a-z0-9*-]{0,61}[a-z0-9*])?$/;

const policy = strict("an object with policy and namespaces", {
  policy: matching(
    /^(arn:aws[a-z-]*:eks::aws:cluster-access-policy\/)?Amazon[A-Za-z0-9]{1,100}Policy$/,
    "the name or the ARN of an access policy of EKS, such as AmazonEKSEditPolicy",
  ).describe("Access policy of EKS; `aws eks list-access-policies` lists them."),
  namespaces: z
    .array(
      checkedText(
        "a namespace, or a pattern such as team-a-*; without namespaces, the policy applies to all of them",
        (text) => (SCOPE.test(text) && !/^\*+$/.test(text) ? undefined : ""),
        SCOPE,
      ),
      { error: "a list of namespaces" },
    )
    .min(1, { error: "at least one namespace" })
    .optional()
    .describe("Namespaces in which the policy applies; `*` matches any characters. Default: the whole cluster."),
});

const entry = strict("an object with principal, groups, policies", {
  principal: principal.describe("ARN of the role or user."),
  groups: z
    .array(groupName(), { error: "a list of groups" })
    .default([])
    .describe("Kubernetes groups of the principal, for RoleBindings and ClusterRoleBindings of your own."),
  policies: z
    .array(policy, { error: "a list of policies" })
    .default([])
    .describe("Access policies of the principal, each with its own scope."),
});

/** Schema of the key `access`. */
export const access = strict("an object with admins, readers, entries, creatorIsAdmin, authenticationMode", {
  admins: principals("with full access, such as the role of CI"),
  readers: principals(
    "with read access to everything except Secrets, also for what `stackyard bootstrap kubernetes` prints",
  ),
  entries: z
    .record(entryName(), entry, { error: "an object of access entries by name" })
    .default({})
    .describe("Further access entries, each under a name that you choose."),
  creatorIsAdmin: flag()
    .default(false)
    .describe(
      "`true`: the identity that creates the cluster is an administrator and must not be in `admins`. Only used when the cluster is created.",
    ),
  authenticationMode: oneOf(["API", "API_AND_CONFIG_MAP"])
    .default("API")
    .describe(
      "`API_AND_CONFIG_MAP`: the ConfigMap `aws-auth` of an imported cluster grants access too. EKS can't go back to it from `API`.",
    ),
})
  .prefault({})
  .describe("EKS access entries of the cluster.");
