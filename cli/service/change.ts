import { Failure } from "../../foundation/errors";
import type { Context } from "../context";
import { structured } from "../options/output";
import { accessOf, ask, follow, type ServiceAccess } from "./client";
import type { ChangeOptions } from "./options";
import { OPERATION, PAYLOAD, type Deployment, type Operation, type Payload } from "./queries";
import { operationText, planText } from "./text";

/** A mutation: its field, and its arguments with their types. */
interface Mutation {
  readonly field: string;
  readonly types: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
  /** What to print of a deployment whose change is no operation. */
  readonly says?: (deployment: Deployment) => string;
}

const COMMON = { revision: "Int", idempotencyKey: "String", dryRun: "Boolean!" };

/** Requests a change, and prints the operation, the plan or, with `--watch`, the result. */
export async function change(context: Context, mutation: Mutation, options: ChangeOptions): Promise<void> {
  const access = accessOf(options);
  const { field, query, variables } = mutationRequest(mutation, options);
  const { [field]: payload } = await ask<Record<string, Payload>>(access, query, variables);
  if (!payload) throw new Failure(`the service answered nothing for ${field}`);
  const { plan, operation, deployment } = payload;
  if (plan) {
    context.print(structured(plan, options) ?? planText(plan));
    return;
  }
  if (operation && options.watch === true && options.dryRun !== true) {
    await watch(context, access, operation.id, options);
    return;
  }
  const printed = structured(operation ?? deployment, options);
  if (printed !== undefined) context.print(printed);
  else if (operation) context.print(operationText(operation, context.colours));
  else if (deployment) context.print((mutation.says ?? protection)(deployment));
}

const protection = ({ id, protected: isProtected }: Deployment): string =>
  `${id} is ${isProtected ? "" : "not "}protected`;

/** Builds the request of a mutation. Pure. */
export function mutationRequest({ field, types, values }: Mutation, { revision, key, dryRun = false }: ChangeOptions) {
  // Operations have no revision, and neither has a new deployment.
  const isWithout = field.endsWith("Operation") || field === "provisionDeployment";
  const known: Record<string, string> = isWithout ? { idempotencyKey: "String", dryRun: "Boolean!" } : COMMON;
  const all = { ...types, ...known };
  const declared = Object.entries(all).map(([name, type]) => `$${name}: ${type}`);
  const given = Object.keys(all).map((name) => `${name}: $${name}`);
  const query = `mutation (${declared.join(", ")}) { ${field}(${given.join(", ")}) ${PAYLOAD} }`;
  return { field, query, variables: { ...values, revision, idempotencyKey: key, dryRun } };
}

/** Prints the events of an operation, or of those that replace it, until it ends. Throws if it fails. */
export async function watch(
  context: Context,
  access: ServiceAccess,
  id: string,
  options: Pick<ChangeOptions, "output" | "json">,
): Promise<void> {
  for await (const { text } of follow(access, id)) context.live.line(`  ${text}`);
  const { operation } = await ask<{ operation: Operation | null }>(
    access,
    `query ($id: ID!) { operation(id: $id) { ${OPERATION} } }`,
    { id },
  );
  if (!operation) throw new Failure(`there is no operation ${id}`);
  if (operation.replacedBy !== null) return watch(context, access, operation.replacedBy, options);
  const printed = structured(operation, options);
  if (printed !== undefined) context.print(printed);
  const text = operationText(operation, context.colours);
  if (operation.state !== "succeeded") throw new Failure(text);
  if (printed === undefined) context.print(text);
}
