/** Checks whether the identity that creates a cluster will have access to it. Pure. */

import type { EksConfig } from "../../cluster/onEks/eksConfig";

interface Principal {
  readonly account: string;
  readonly kind: string;
  /** Name without its path, because the ARN of a session lacks the path. */
  readonly name: string;
}

/**
 * Parses an ARN. `arn:aws:sts::1:assumed-role/ci/session` and `arn:aws:iam::1:role/teams/ci` are the same principal.
 */
function principalOf(arn: string): Principal | undefined {
  const [, , , , account = "", ...rest] = arn.split(":");
  const [kind = "", ...names] = rest.join(":").split("/");
  const name = kind === "assumed-role" ? names[0] : names.at(-1);
  return name === undefined ? undefined : { account, kind: kind === "assumed-role" ? "role" : kind, name };
}

const isSame = (one: Principal | undefined, other: Principal | undefined): boolean =>
  one !== undefined && one.account === other?.account && one.kind === other.kind && one.name === other.name;

/** Fault if `caller` (an ARN) would not become an administrator, or would in two ways; undefined otherwise. */
export function callerFault(caller: string, { admins, creatorIsAdmin }: EksConfig["access"]): string | undefined {
  const who = principalOf(caller);
  const [name] = Object.entries(admins).find(([, arn]) => isSame(principalOf(arn), who)) ?? [];
  if (creatorIsAdmin && name !== undefined) {
    return (
      `stackyard:cluster.access.creatorIsAdmin: found true, but ${caller}, which creates the cluster, is also admins.${name}; ` +
      `expected only one of them, because EKS has one access entry for each principal`
    );
  }
  if (creatorIsAdmin || name !== undefined) return undefined;
  return (
    `stackyard:cluster.access.admins: found no entry for ${caller}, which creates the cluster and installs everything on it; ` +
    `expected its role or user among them, or creatorIsAdmin: true`
  );
}

/** Describes who will have access to the cluster, for the log. */
export function whoMayUse(caller: string, { admins, readers, creatorIsAdmin }: EksConfig["access"]): string {
  const listed = (all: Readonly<Record<string, string>>): string[] =>
    Object.entries(all).map(([name, arn]) => `${name} (${arn})`);
  const administer = [...listed(admins), ...(creatorIsAdmin ? [`who makes it (${caller})`] : [])];
  const look = Object.keys(readers).length > 0 ? `; may look at it: ${listed(readers).join(", ")}` : "";
  return `May administer the cluster: ${administer.join(", ")}${look}`;
}
