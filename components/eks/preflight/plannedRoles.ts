/** The names of the IAM roles of a cluster that the platform creates. Pure. */

import { controlPlaneRole, nodeRole, rolePrefix, type OnEks } from "../../cluster/onEks/onEks";
import { roleName, type PlannedRole } from "../../cluster/serviceAccountRole/plan";

export function rolesOfCluster(eks: OnEks & { readonly nodes: string }): PlannedRole[] {
  const own = [controlPlaneRole(eks), nodeRole(eks)];
  const addons = ["ebs-csi", ...(eks.cniRights === "podIdentity" ? ["vpc-cni"] : [])];
  const prefixed = eks.nodes === "auto" ? [] : addons.map((entry) => roleName(rolePrefix(eks), entry));
  return [...own, ...prefixed].map((name) => ({ name, isPrefixed: true }));
}
