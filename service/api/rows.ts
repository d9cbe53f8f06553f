import type { DeploymentRow } from "../database/tables";

/** The runtime that the last successful operation left. */
export interface RuntimeRow {
  readonly deployment: string;
  readonly tenant: string;
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** Undefined if the deployment has no runtime. */
export function runtimeOf({ name, tenant, outputs, deletedAt }: DeploymentRow): RuntimeRow | undefined {
  const stands = deletedAt === null && Object.keys(outputs).length > 0;
  return stands ? { deployment: name, tenant, outputs } : undefined;
}
