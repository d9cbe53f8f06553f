import type { Caller } from "../../operations/input";
import type { DeploymentRow, OperationRow } from "../../database/tables";
import type { ApiContext } from "../context";
import { ApiError } from "../errors";
import { guardedFields as guardedForAny, type Fields } from "../rights/guard";
import { clusterOf } from "./present";

/** Wraps the fields of the runtime API. The caller is always resolved for the tenant in the header. */
export const guardedFields = <Given extends Fields>(fields: Given, areChanges = false) =>
  guardedForAny(fields, areChanges, (context) => context.tenantCaller());

/**
 * Returns the tenant's runtime, even if it is deprovisioned. A runtime of another tenant gets the same error as one
 * that does not exist, and a runtime never changes its tenant.
 */
export async function runtimeOf(id: string, { tenant }: Caller, { backend }: ApiContext): Promise<DeploymentRow> {
  const row = await backend.reads.deployment(tenant, id);
  if (row && clusterOf(row)) return row;
  throw new ApiError({ code: "NOT_FOUND", path: "id", reason: "the tenant has no runtime of this id" });
}

/** Returns an operation on one of the tenant's runtimes. */
export async function operationOf(id: string, caller: Caller, context: ApiContext): Promise<OperationRow> {
  const row = await context.backend.reads.operation(caller.tenant, id);
  const runtime = row && (await context.loaders.deployment.load(row.deploymentId));
  if (row && runtime?.tenant === row.tenant && clusterOf(runtime)) return row;
  throw new ApiError({ code: "NOT_FOUND", path: "id", reason: "the tenant has no operation of this id on a runtime" });
}
