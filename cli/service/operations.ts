import { Failure } from "../../foundation/errors";
import type { Context } from "../context";
import { structured } from "../options/output";
import { table } from "../terminal/table";
import { change, watch } from "./change";
import { accessOf, ask } from "./client";
import { readList, printList, type ServiceListOptions } from "./list";
import type { ChangeOptions, ReadOptions } from "./options";
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
  const read = () =>
    readList<Operation>({ field: "operations", filterType: "OperationFilter", fields: OPERATION, filter }, options);
  await printList(
    context,
    read,
    (nodes, columns) => (nodes.length > 0 ? operationTable(nodes, columns) : "no operations"),
    options,
  );
}

interface Detailed extends Operation {
  readonly stages: readonly {
    readonly name: string;
    readonly state: string;
    readonly durationSeconds: number | null;
  }[];
}

export async function showOne(context: Context, id: string, options: ReadOptions): Promise<void> {
  const access = accessOf(options);
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
  const shown =
    stages.length === 0
      ? []
      : [table([{ title: "  STAGE" }, { title: "STATUS" }, { title: "DURATION", align: "right" }], stages)];
  context.print(structured(operation, options) ?? [operationText(operation, context.colours), ...shown].join("\n"));
}

/** Runs `retry` or `cancel`. */
export async function simple(context: Context, verb: string, id: string, options: ChangeOptions): Promise<void> {
  await change(context, { field: `${verb}Operation`, types: { id: "ID!" }, values: { id } }, options);
}
