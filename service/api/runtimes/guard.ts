import type { GraphQLFieldResolver } from "graphql";
import { authorize } from "../auth/caller";
import type { Caller } from "../../operations/input";
import type { DeploymentRow, OperationRow } from "../../database/tables";
import type { ApiContext } from "../context";
import { ApiError } from "../errors";
import { clusterOf } from "./present";

type Field<Args, Result> = (args: Args, caller: Caller, context: ApiContext) => Result;

/** A field of the original's API: asks who calls, for the tenant that the header names. */
function guarded<Args, Result>(name: string, field: Field<Args, Result>, isChange: boolean) {
  return async (_parent: unknown, args: Args, context: ApiContext): Promise<Awaited<Result>> => {
    const caller = await context.tenantCaller();
    try {
      authorize(caller, name);
    } catch (error) {
      const { id = "" } = args as { readonly id?: string };
      if (isChange) await context.backend.refused(caller, name, id);
      throw error;
    }
    return await field(args, caller, context);
  };
}

export function guardedFields<Fields extends Readonly<Record<string, Field<never, unknown>>>>(
  fields: Fields,
  areChanges = false,
) {
  const entries = Object.entries(fields).map(([name, field]) => [name, guarded(name, field, areChanges)]);
  return Object.fromEntries(entries) as { [Name in keyof Fields]: GraphQLFieldResolver<unknown, ApiContext> };
}

/**
 * The tenant's runtime, there or deprovisioned. Of another tenant's it is said what is said of one that is not there, and
 * nobody's tenant ever changes.
 */
export async function runtimeOf(id: string, { tenant }: Caller, { backend }: ApiContext): Promise<DeploymentRow> {
  const row = await backend.reads.deployment(tenant, id);
  if (row && clusterOf(row)) return row;
  throw new ApiError({ code: "NOT_FOUND", path: "id", reason: "the tenant has no runtime of this id" });
}

/** An operation on one of the tenant's runtimes. */
export async function operationOf(id: string, caller: Caller, context: ApiContext): Promise<OperationRow> {
  const row = await context.backend.reads.operation(caller.tenant, id);
  const runtime = row && (await context.loaders.deployment.load(row.deploymentId));
  if (row && runtime && clusterOf(runtime)) return row;
  throw new ApiError({ code: "NOT_FOUND", path: "id", reason: "the tenant has no operation of this id on a runtime" });
}
