import * as z from "zod";
import { statementsOf } from "../../foundation/iam/document";
import { managedFindings, permissionFindings } from "../../foundation/iam/permissions";
import { isObject, jsonIn } from "../../foundation/json/isObject";
import { tryRead } from "../../foundation/schema/files";
import type { Resolver } from "../../foundation/schema/resolver";
import type { DataAccessConfig } from "./dataAccess";
import { lengthFaults, TRUST_LIMIT } from "../cluster/serviceAccountRole/document";
import { keyOf, roleName, subjectsOf } from "../cluster/serviceAccountRole/plan";
import { addonRoles } from "../cluster/serviceAccountRole/addonRoles";
import { bucketFaults } from "../cluster/serviceAccountRole/s3";
import { bucketAccess } from "../cluster/onEks/buckets";
import { irsaTrust, isWildcard, podIdentityTrust } from "../cluster/serviceAccountRole/trust";
import { rolePrefix, type OnEks } from "../cluster/onEks/onEks";
import { partitionFaults } from "../cluster/onEks/arns";
import { flag, matching, NAMESPACE, oneOf, strict, list, listOf } from "../../foundation/schema/fields";
import { mismatch, type Fault, type Path } from "../../foundation/schema/faults";
import type { DecodeContext } from "../contract/decoding";

/** Checks the custom policies of an entry with the rule `no-wildcard-iam` of the policy pack. */

const OR_REASON = "or wildcardReason with the reason";

/** Reads a policy document from a file. Adds faults according to the policy pack. */
function readPolicy(
  { files, faults }: Resolver,
  path: Path,
  file: string,
  reason: string | undefined,
): string | undefined {
  const read = tryRead(files, file);
  const document = "bytes" in read ? documentOf(read.bytes.toString("utf8")) : undefined;
  if (document === undefined) {
    const found = "trouble" in read ? read.trouble : "no policy document";
    faults.push(mismatch(path, `${JSON.stringify(file)}, ${found}`, "a JSON file with an IAM policy"));
    return undefined;
  }
  for (const { part, message } of reason === undefined ? permissionFindings(document) : []) {
    faults.push({ path, message: `in ${JSON.stringify(file)}, ${part}: ${message}, ${OR_REASON}` });
  }
  return JSON.stringify(document);
}

/** Faults for managed policies that grant full access, according to the policy pack. */
const managedFaults = (policies: Readonly<Record<string, string>>, path: Path): Fault[] =>
  Object.entries(policies).flatMap(([name, arn]) =>
    managedFindings(arn).map(({ message }) => ({ path: [...path, name], message: `${message}, ${OR_REASON}` })),
  );

function documentOf(text: string): object | undefined {
  const parsed = jsonIn(text);
  return isObject(parsed) && statementsOf(parsed).length > 0 ? parsed : undefined;
}

const ACCOUNT = "a service account's name of a-z 0-9 . -, in which * may stand for some of it";

const entry = strict("an object with serviceAccounts", {
  roleName: matching(/^[\w+=,.@-]{1,64}$/, "the name of an IAM role, 64 characters at most")
    .optional()
    .describe(
      "Name of the role. Default: `roles.prefix` of the cluster or the cluster's name, a hyphen, and the name of the entry, such as `acme-daft`.",
    ),
  serviceAccounts: z
    .record(
      matching(NAMESPACE, "a namespace"),
      listOf(matching(/^(?!\*+$)[a-z0-9*]([a-z0-9.*-]{0,251}[a-z0-9*])?$/, ACCOUNT), "names").min(1, {
        error: "at least one name",
      }),
      { error: "an object of lists of service accounts, by namespace" },
    )
    .describe("Service accounts that may assume the role: lists of names by namespace."),
  accounts: oneOf(["make", "annotate", "none"])
    .default("make")
    .describe(
      "`make`: the platform creates these service accounts; `annotate`: existing ones get the role's annotation; `none`: they are not changed.",
    ),
  createNamespaces: flag()
    .default(false)
    .describe("`true`: the platform creates the namespaces. They stay when the entry is removed."),
  buckets: list(bucketAccess, "buckets").describe("S3 buckets."),
  managedPolicies: z
    .record(
      matching(/^[a-z0-9-]{1,40}$/, "a name of a-z 0-9 -"),
      matching(/^arn:aws[a-z-]*:iam::\S*:policy\/\S+$/, "the ARN of a policy"),
      { error: "an object of ARNs by name" },
    )
    .default({})
    .describe("ARNs of managed policies to attach, each under a name that you choose."),
  policy: matching(/^[^\n{}]*[^\s{}]$/, "the path of a JSON file")
    .optional()
    .describe("File with an additional IAM policy document."),
  wildcardReason: matching(/\S/, "a few words")
    .optional()
    .describe(
      "Reason why `policy` or `managedPolicies` may allow more than the policy rule `no-wildcard-iam` permits. Without a reason, the rule fails.",
    ),
});

export const dataAccessSchema = z
  .record(matching(/^[a-z0-9]([a-z0-9-]{0,28}[a-z0-9])?$/, "a name of a-z 0-9 -, 30 characters at most"), entry, {
    error: "an object of entries by name",
  })
  .default({})
  .describe(
    "IAM roles that give pods access to data on AWS, one for each entry. Requires a cluster of type `eks`, or of type `existing` with `eks`.",
  );

type Entries = z.output<typeof dataAccessSchema>;

/** Checks the entries against the cluster and each other, and reads the policy files that they reference. */
export function resolveDataAccess(
  entries: Entries,
  context: DecodeContext,
): Readonly<Record<string, DataAccessConfig>> {
  const { faults, offers } = context;
  if (Object.keys(entries).length === 0) return {};
  const { isEks } = offers.cluster;
  const cluster = offers.cluster.config?.eks;
  if (cluster === undefined) {
    // Faults of an EKS cluster are reported with the cluster.
    const expected = "name and region of the EKS cluster whose pods get roles by dataAccess";
    if (!isEks) faults.push(mismatch(["cluster", "eks"], "nothing", expected));
    return {};
  }
  const owners = new Map<string, string>();
  faults.push(...nameFaults(entries, cluster), ...partitionFaults(entries, cluster.region, ["dataAccess"]));
  return Object.fromEntries(
    Object.entries(entries).map(([name, { policy, wildcardReason, ...rest }]) => {
      const base: Path = ["dataAccess", name];
      faults.push(...subjectFaults(name, rest.serviceAccounts, cluster, owners, [...base, "serviceAccounts"]));
      if (rest.accounts === "make") faults.push(...madeElsewhere(rest.serviceAccounts, [...base, "serviceAccounts"]));
      faults.push(...bucketFaults(rest.buckets, [...base, "buckets"], "fewer buckets, in several entries"));
      const policies = Object.keys(rest.managedPolicies).length;
      if (policies > MOST_POLICIES)
        faults.push(
          mismatch([...base, "managedPolicies"], `${policies} policies`, `at most ${MOST_POLICIES} for a role`),
        );
      if (wildcardReason === undefined) {
        faults.push(...managedFaults(rest.managedPolicies, [...base, "managedPolicies"]));
      }
      const document =
        policy === undefined ? undefined : readPolicy(context, [...base, "policy"], policy, wildcardReason);
      return [name, { ...rest, ...(document === undefined ? {} : { document }) }];
    }),
  );
}

/** Roles that the platform creates for itself, with the same prefix. */
const PLATFORM_ROLES = ["nodes", "control-plane"];
/** IAM takes no more managed policies for a role, even with a raised quota. */
const MOST_POLICIES = 20;

/** Service accounts in `kube-system` that EKS and its add-ons create. */
const OF_EKS = /^(aws-node|coredns|kube-proxy|(ebs|efs|fsx)-csi-(controller|node)-sa|s3-csi-driver-sa|eks-[a-z-]+)$/;

/** Faults for service accounts that something else creates, so the platform can't. */
const madeElsewhere = (serviceAccounts: Entries[string]["serviceAccounts"], base: Path): Fault[] =>
  (serviceAccounts["kube-system"] ?? []).flatMap((account, index) =>
    OF_EKS.test(account)
      ? [
          mismatch(
            [...base, "kube-system", index],
            JSON.stringify(account),
            "a service account of your own: something else creates this one",
            "accounts: annotate gives the role to an existing one",
          ),
        ]
      : [],
  );

/** Faults for role names that are already used. IAM role names are unique in an account, whatever their case. */
function nameFaults(entries: Entries, cluster: OnEks): Fault[] {
  const prefix = rolePrefix(cluster);
  const own = [
    ...PLATFORM_ROLES,
    ...addonRoles(cluster).map(({ name }) => name),
    ...(cluster.nodes === "karpenter" ? ["karpenter"] : []),
  ];
  const owners = new Map(own.map((name) => [roleName(prefix, name).toLowerCase(), "the platform"]));
  return Object.entries(entries).flatMap(([name, entry]): Fault[] => {
    const role = entry.roleName ?? roleName(prefix, name);
    const owner = owners.get(role.toLowerCase());
    owners.set(role.toLowerCase(), `dataAccess.${name}`);
    if (owner === undefined) return [];
    const path = ["dataAccess", name, ...(entry.roleName === undefined ? [] : ["roleName"])];
    return [
      mismatch(path, `the role ${role}`, `a role of its own: this one is that of ${owner}; say another roleName`),
    ];
  });
}

/**
 * Faults for service accounts: each can have only one role, Pod Identity supports no wildcards, and the length of a
 * trust policy is limited.
 */
function subjectFaults(
  name: string,
  serviceAccounts: Entries[string]["serviceAccounts"],
  { identity, region }: OnEks,
  owners: Map<string, string>,
  base: Path,
): Fault[] {
  const subjects = subjectsOf(serviceAccounts);
  if (subjects.length === 0) return [mismatch(base, "an empty object", "at least one service account")];
  const faults = subjects.flatMap((subject): Fault[] => {
    const at = [...base, subject.namespace];
    const owner = owners.get(keyOf(subject));
    owners.set(keyOf(subject), name);
    if (identity === "podIdentity" && isWildcard(subject)) {
      return [
        mismatch(at, JSON.stringify(subject.serviceAccount), "exact names, because Pod Identity knows no wildcards"),
      ];
    }
    if (owner === undefined) return [];
    return [
      mismatch(at, JSON.stringify(subject.serviceAccount), `a service account without a role; it has that of ${owner}`),
    ];
  });
  if (faults.length > 0) return faults;
  // Same length as the real values.
  const account = "arn:aws-us-gov:iam::000000000000:oidc-provider/";
  const issuer = `oidc.eks.${region}.amazonaws.com/id/${"0".repeat(32)}`;
  const trust =
    identity === "irsa" ? irsaTrust(account + issuer, issuer, subjects) : podIdentityTrust(account, subjects);
  return lengthFaults(trust, TRUST_LIMIT, base, "fewer service accounts, in several entries");
}
