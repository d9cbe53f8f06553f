import type { Mutation, Query, Subscription } from "../schema.types";
import { ROLES, type Role } from "./identity";

type Operation = keyof Query | keyof Mutation | keyof Subscription;

/** The lowest role that may call each operation. The type makes the compiler check that the table is complete. */
export const RIGHTS: Readonly<Record<Operation, Role>> = {
  deployment: "viewer",
  deployments: "viewer",
  runtimes: "viewer",
  operation: "viewer",
  operations: "viewer",
  provisioners: "viewer",
  plan: "viewer",
  notices: "viewer",
  me: "viewer",
  operationEvents: "viewer",
  provisionDeployment: "operator",
  updateDeployment: "operator",
  hibernateDeployment: "operator",
  wakeDeployment: "operator",
  moveDeployment: "operator",
  deprovisionDeployment: "operator",
  retryOperation: "operator",
  cancelOperation: "operator",
  protectDeployment: "operator",
  setDeploymentLifetime: "operator",
  touchDeployment: "operator",
  rollout: "viewer",
  rollouts: "viewer",
  runtimeStatus: "viewer",
  runtimeOperationStatus: "viewer",
  provisionRuntimePlan: "operator",
  upgradeShootPlan: "operator",
  provisionRuntime: "operator",
  reprovisionRuntime: "operator",
  upgradeRuntime: "operator",
  deprovisionRuntime: "operator",
  upgradeShoot: "operator",
  hibernateRuntime: "operator",
  wakeRuntime: "operator",
  rollBackUpgradeOperation: "operator",
  rollBackRuntime: "operator",
  reconnectRuntimeAgent: "operator",
  issueRuntimeKubeconfig: "viewer",
  unprotectDeployment: "admin",
  refreshPlatform: "admin",
  cancelRollout: "admin",
  keptDisks: "viewer",
  deleteKeptDisks: "operator",
  orphans: "admin",
  adoptDeployment: "admin",
  forgetDeployment: "admin",
  audit: "admin",
};

export const isAllowed = (role: Role, operation: string): boolean =>
  Object.hasOwn(RIGHTS, operation) && ROLES.indexOf(role) >= ROLES.indexOf(RIGHTS[operation as Operation]);
