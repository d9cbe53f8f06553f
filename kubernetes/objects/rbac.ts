/** Which objects are roles or bindings of RBAC. */

import { type KubeObject, groupOf } from "./objects";

export const RBAC = "rbac.authorization.k8s.io";
const isRbac = ({ apiVersion }: KubeObject): boolean => groupOf(apiVersion) === RBAC;
export const isRole = (object: KubeObject): boolean => isRbac(object) && /^(Cluster)?Role$/.test(object.kind);
export const isBinding = (object: KubeObject): boolean => isRbac(object) && /^(Cluster)?RoleBinding$/.test(object.kind);
