import type { DeploymentRow, OperationResult, OperationRow, RolloutRow } from "../database/tables";

/** The runtime that the last successful operation left. */
export interface RuntimeRow {
  readonly deployment: string;
  readonly tenant: string;
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** Fields of a deployment's config, as its stack file has them; those of a change are some of them. */
export type ConfigRow = Readonly<Record<string, unknown>>;

/** The result of an operation, with what its deployment needs to be named. */
export interface OutcomeRow extends OperationResult {
  readonly deployment: string;
  readonly tenant: string;
}

/** An object that has an id of its own over all types and tenants, `<type>:<id>`, with its type for GraphQL. */
export type NodeRow = (DeploymentRow | OperationRow | RolloutRow) & {
  readonly __typename: "Deployment" | "Operation" | "Rollout";
};

/** Undefined if the deployment has no runtime. */
export function runtimeOf({ name, tenant, outputs, deletedAt }: DeploymentRow): RuntimeRow | undefined {
  const stands = deletedAt === null && Object.keys(outputs).length > 0;
  return stands ? { deployment: name, tenant, outputs } : undefined;
}
