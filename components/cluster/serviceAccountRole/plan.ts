/** Plans a role for service accounts from its config. Pure. */

import { labelWithHash } from "../../../foundation/text/legalName";
import { LIMITS, limited } from "../awsNames";
import { rolePrefix, type OnEks } from "../onEks/onEks";
import { isWildcard, type Subject } from "./trust";

/** Names of service accounts, by namespace. */
export type Subjects = Readonly<Record<string, readonly string[]>>;

/** All subjects in a stable order. */
export function subjectsOf(subjects: Subjects): Subject[] {
  return Object.entries(subjects)
    .flatMap(([namespace, names]) => names.map((serviceAccount) => ({ namespace, serviceAccount })))
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

export const keyOf = ({ namespace, serviceAccount }: Subject): string => `${namespace}/${serviceAccount}`;

/** Name of a role: `<cluster>-<entry>`. Unique per entry, at most 64 characters. */
export const roleName = (cluster: string, entry: string): string => limited(`${cluster}-${entry}`, LIMITS.role);

/** Name of the set with a role's service accounts. A role may have a name that a set can't: `acme_Data-reader`. */
export function accountSetName(role: string): string {
  const name = `role-${role}`;
  if (/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name)) return name;
  return labelWithHash({ text: name, whole: name, hashLength: 8, longest: 63, empty: "role" });
}

/** A service account to create or annotate. Wildcards are only part of the trust policy. */
interface PlannedAccount extends Subject {
  /** Unique suffix of resource names. */
  readonly key: string;
}

export const accountsOf = (subjects: readonly Subject[]): PlannedAccount[] =>
  subjects.filter((subject) => !isWildcard(subject)).map((subject) => ({ ...subject, key: keyOf(subject) }));

/** The annotations of a service account for IRSA. */
export const accountAnnotations = (roleArn: string): Record<string, string> => ({
  // EKS itself selects the STS endpoint of the cluster's region.
  "eks.amazonaws.com/role-arn": roleArn,
});

/** Values of a chart that creates its own service account. `roleArn`: not set with Pod Identity. */
export const chartAccount = (name: string, roleArn: string | undefined) => ({
  create: true,
  name,
  annotations: roleArn === undefined ? {} : accountAnnotations(roleArn),
});

/** A ServiceAccount that the platform creates. It needs no annotation with Pod Identity. */
export function accountManifest(
  { serviceAccount }: Subject,
  annotations: Record<string, string>,
): Record<string, unknown> {
  return { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: serviceAccount, annotations } };
}

/** An IAM role that a platform creates. */
export interface PlannedRole {
  readonly name: string;
  /** Whether its name starts with the prefix for the cluster's roles. */
  readonly isPrefixed: boolean;
  /** Config key that changes the name of this role alone, or selects an existing one; undefined if there is none. */
  readonly key?: string;
}

/** A role whose name starts with the prefix for the cluster's roles; none without a cluster on EKS. */
export const prefixedRole = (
  onEks: Pick<OnEks, "name" | "roles"> | undefined,
  entry: string,
  key?: string,
): PlannedRole[] =>
  onEks === undefined
    ? []
    : [{ name: roleName(rolePrefix(onEks), entry), isPrefixed: true, ...(key !== undefined && { key }) }];
