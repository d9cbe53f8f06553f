import { Failure } from "../../foundation/errors";
import { ask, follow, type OperationEvent, type ServiceAccess } from "./client";
import { OPERATION, PAYLOAD, type EndedOperation, type Payload } from "./queries";

/** A mutation: its field, and its arguments with their types. */
export interface Mutation {
  readonly field: string;
  readonly types: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
}

export interface MutationOptions {
  readonly revision?: number;
  readonly key?: string;
  readonly dryRun?: boolean;
}

const COMMON = { revision: "Int", idempotencyKey: "String", dryRun: "Boolean!" };

/** Builds the request of a mutation. Pure. */
export function mutationRequest(
  { field, types, values }: Mutation,
  { revision, key, dryRun = false }: MutationOptions,
) {
  // Operations have no revision, and neither has a new deployment.
  const isWithout = field.endsWith("Operation") || field === "provisionDeployment";
  const known: Record<string, string> = isWithout ? { idempotencyKey: "String", dryRun: "Boolean!" } : COMMON;
  const all = { ...types, ...known };
  const declared = Object.entries(all).map(([name, type]) => `$${name}: ${type}`);
  const given = Object.keys(all).map((name) => `${name}: $${name}`);
  const query = `mutation (${declared.join(", ")}) { ${field}(${given.join(", ")}) ${PAYLOAD} }`;
  return { query, variables: { ...values, revision, idempotencyKey: key, dryRun } };
}

/** Requests a change or, with `dryRun`, its plan. */
export async function mutate(access: ServiceAccess, mutation: Mutation, options: MutationOptions): Promise<Payload> {
  const { query, variables } = mutationRequest(mutation, options);
  const { [mutation.field]: payload } = await ask<Record<string, Payload>>(access, query, variables);
  if (!payload) throw new Failure(`the service answered nothing for ${mutation.field}`);
  return payload;
}

/** Follows an operation, or the one that replaces it, until it ends. */
export async function endOf(
  access: ServiceAccess,
  id: string,
  onEvent: (event: OperationEvent) => void,
): Promise<EndedOperation> {
  for await (const event of follow(access, id)) onEvent(event);
  const query = `query ($id: ID!) { operation(id: $id) { ${OPERATION} result } }`;
  const { operation } = await ask<{ operation: EndedOperation | null }>(access, query, { id });
  if (!operation) throw new Failure(`there is no operation ${id}`);
  return operation.replacedBy === null ? operation : endOf(access, operation.replacedBy, onEvent);
}
