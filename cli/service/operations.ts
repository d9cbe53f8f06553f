import { Failure } from "../../foundation/errors";
import type { Context } from "../context";
import { structured } from "../options/output";
import { planText } from "../terminal/plannedChanges";
import { numbers, table } from "../terminal/table";
import { serviceOf } from "./access";
import { ask, type ServiceAccess } from "./client";
import { printList } from "./list";
import { endOf, mutate } from "./mutation";
import type { ChangeOptions, ReadOptions, ServiceListOptions } from "./options";
import { OPERATION, type Operation } from "./queries";
import { operationTable, operationText } from "./text";

export interface OperationFilter extends ServiceListOptions {
  readonly deployment?: string;
  readonly state?: string;
  readonly kind?: string;
}

export async function listOperations(context: Context, options: OperationFilter): Promise<void> {
  const { deployment, state, kind } = options;
  const filter = {
    deployment,
    ...(state !== undefined && { state: [state] }),
    ...(kind !== undefined && { kind: [kind] }),
  };
  const list = { field: "operations", filterType: "OperationFilter", fields: OPERATION, filter };
  await printList<Operation>(context, list, operationTable, options);
}

interface Detailed extends Operation {
  readonly stages: readonly {
    readonly name: string;
    readonly state: string;
    readonly durationSeconds: number | null;
  }[];
}

export async function showOne(context: Context, id: string, options: ReadOptions): Promise<void> {
  const access = await serviceOf(options);
  if (options.watch === true) {
    await watch(context, access, id, options);
    return;
  }
  const query = `query ($id: ID!) { operation(id: $id) { ${OPERATION} attempts revision change result stages { number name state attempts durationSeconds } } }`;
  const { operation } = await ask<{ operation: Detailed | null }>(access, query, { id });
  if (!operation) throw new Failure(`there is no operation ${id}`);
  const stages = operation.stages.map(({ name, state, durationSeconds }) => [
    `  ${name}`,
    state.replace("_", " "),
    durationSeconds === null ? "" : `${durationSeconds.toFixed(1)} s`,
  ]);
  const shown = stages.length === 0 ? [] : [table(["  STAGE", "STATUS", numbers("DURATION")], stages)];
  context.print(structured(operation, options) ?? [operationText(operation, context.colours), ...shown].join("\n"));
}

/** Retries or cancels an operation, and prints it, its plan or, with `--watch`, its end. */
export async function changeOperation(
  context: Context,
  verb: "retry" | "cancel",
  id: string,
  options: ChangeOptions,
): Promise<void> {
  const access = await serviceOf(options);
  const mutation = { field: `${verb}Operation`, types: { id: "ID!" }, values: { id } };
  const { plan, operation } = await mutate(access, mutation, options);
  if (plan)
    return context.print(
      structured(plan, options) ?? planText(operation?.deploymentId ?? id, plan.changes, plan.notes),
    );
  if (!operation) throw new Failure(`there is no operation ${id}`);
  if (options.watch === true && options.dryRun !== true) return watch(context, access, operation.id, options);
  context.print(structured(operation, options) ?? operationText(operation, context.colours));
}

/** Prints the events of an operation until it ends, then the operation. Throws if it fails. */
async function watch(context: Context, access: ServiceAccess, id: string, options: ReadOptions): Promise<void> {
  const operation = await endOf(access, id, ({ text }) => context.live.line(`  ${text}`));
  const printed = structured(operation, options);
  if (printed !== undefined) context.print(printed);
  const text = operationText(operation, context.colours);
  if (operation.state !== "succeeded") throw new Failure(text);
  if (printed === undefined) context.print(text);
}
