import type { Mutation, Query, Subscription } from "../schema.types";
import { ROLES, type CallerOfAny, type Role } from "../auth/identity";
import { ApiError } from "../errors";

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
  node: "viewer",
  operationEvents: "viewer",
  operationChanges: "viewer",
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
  bundles: "admin",
  orphans: "admin",
  adoptDeployment: "admin",
  forgetDeployment: "admin",
  audit: "admin",
};

const isAllowed = (role: Role, operation: string): boolean =>
  Object.hasOwn(RIGHTS, operation) && ROLES.indexOf(role) >= ROLES.indexOf(RIGHTS[operation as Operation]);

/** Throws if the caller's role is not enough for a field of the API. */
export function authorize(caller: CallerOfAny, operation: string): void {
  if (isAllowed(caller.role, operation)) return;
  const reason = `the role ${caller.role} may not ask for ${operation}`;
  throw new ApiError({ code: "FORBIDDEN", reason, advice: "ask an administrator for another role" });
}
