/** A Helm release that a platform installs. Pure. */

export interface PlannedRelease {
  /** Config key of the component. */
  readonly path: string;
  readonly name: string;
  readonly namespace: string;
  /** The set that records its owner. */
  readonly owner: { readonly namespace: string; readonly name: string };
  /** APIService that it registers. A cluster can have only one. */
  readonly apiService?: string;
  /** Its cluster-scoped objects whose names may conflict. */
  readonly objects: readonly ClusterObject[];
  /** Whether the user's values change these names. */
  readonly isRenamed: boolean;
  /** The expected situation, for the message about a conflict. */
  readonly expected: string;
}

export interface ClusterObject {
  readonly kind: string;
  readonly name: string;
}

/**
 * The set that records the owner of a release whose name is unique on a cluster. Its namespace always exists, while
 * Helm creates that of the release.
 */
export const ownerSet = (release: string): PlannedRelease["owner"] => ({
  namespace: "kube-system",
  name: `release-${release}`,
});

/** Value of a chart that changes the names of its objects. */
export const NAMING = "fullnameOverride";
const ONE = "one on a cluster; disable it in this stack";

interface ReleaseNaming {
  /** Config key of the component. */
  readonly path: string;
  readonly account: { readonly release: string; readonly namespace: string };
  /** The ClusterRole, which the chart names by its full name. Default: equal to it. */
  readonly role?: (fullname: string) => string;
  readonly expected?: string;
}

/** The release of a component that a cluster can have once; none if it is not configured. */
export function oneRelease(
  has: { readonly values: Readonly<Record<string, unknown>> } | undefined,
  { path, account, role = (fullname) => fullname, expected = ONE }: ReleaseNaming,
): PlannedRelease[] {
  if (has === undefined) return [];
  const given = has.values[NAMING];
  const isRenamed = typeof given === "string" && given !== "";
  const { release: name, namespace } = account;
  const objects = [{ kind: "ClusterRole", name: role(isRenamed ? given : name) }];
  return [{ path, name, namespace, owner: ownerSet(name), objects, isRenamed, expected }];
}
