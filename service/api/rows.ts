import type { DeploymentRow } from "../database/tables";

/** What a deployment has, as its last operation that succeeded left it. */
export interface RuntimeRow {
  readonly deployment: string;
  readonly tenant: string;
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** Undefined if the deployment has none. */
export function runtimeOf({ name, tenant, outputs, deletedAt }: DeploymentRow): RuntimeRow | undefined {
  const stands = deletedAt === null && Object.keys(outputs).length > 0;
  return stands ? { deployment: name, tenant, outputs } : undefined;
}
