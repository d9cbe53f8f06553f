/** Plans a role for service accounts from its config. Pure. */

import { LIMITS, limited } from "../awsNames";
import { isWildcard, type Subject } from "./trust";

/** How pods authenticate: IAM roles for service accounts (IRSA) or EKS Pod Identity. */
export type Identity = "irsa" | "podIdentity";

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

/** A service account to create or annotate. Wildcards are only part of the trust policy. */
export interface PlannedAccount extends Subject {
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

/** A ServiceAccount that the platform creates. It needs no annotation with Pod Identity. */
export function accountManifest(
  { serviceAccount }: Subject,
  annotations: Record<string, string>,
): Record<string, unknown> {
  return { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: serviceAccount, annotations } };
}
