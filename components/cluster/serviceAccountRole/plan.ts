/** What a role for service accounts consists of, from its entry in the config. Pure. */

import { LIMITS, limited } from "../awsNames";
import { isWildcard, type Subject } from "./trust";

/** How a pod proves who it is: IAM roles for service accounts, or EKS Pod Identity. */
export type Identity = "irsa" | "podIdentity";

/** Namespace to the names of service accounts in it. */
export type Subjects = Readonly<Record<string, readonly string[]>>;

/** All subjects, in one order. */
export function subjectsOf(subjects: Subjects): Subject[] {
  return Object.entries(subjects)
    .flatMap(([namespace, names]) => names.map((serviceAccount) => ({ namespace, serviceAccount })))
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

export const keyOf = ({ namespace, serviceAccount }: Subject): string => `${namespace}/${serviceAccount}`;

/** `<cluster>-<entry>`: unlike in any two entries, at most 64 characters. */
export const roleName = (cluster: string, entry: string): string => limited(`${cluster}-${entry}`, LIMITS.role);

/** A service account that gets the role by name; wildcards only say who may take it. */
export interface PlannedAccount extends Subject {
  /** Unique suffix of resource names. */
  readonly key: string;
}

export const accountsOf = (subjects: readonly Subject[]): PlannedAccount[] =>
  subjects.filter((subject) => !isWildcard(subject)).map((subject) => ({ ...subject, key: keyOf(subject) }));

/** The annotations of a service account that uses IAM roles for service accounts. */
export const accountAnnotations = (roleArn: string): Record<string, string> => ({
  // EKS itself has tokens exchanged in the cluster's own region.
  "eks.amazonaws.com/role-arn": roleArn,
});

/** A ServiceAccount of ours; with Pod Identity it needs no annotation. */
export function accountManifest(
  { serviceAccount }: Subject,
  annotations: Record<string, string>,
): Record<string, unknown> {
  return { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: serviceAccount, annotations } };
}
