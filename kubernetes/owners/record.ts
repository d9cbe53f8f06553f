/**
 * The owner of a thing, as recorded where the thing lives: in a ConfigMap, a row of the ledger, or annotations of a
 * Shoot. Whoever changes the thing first writes the record by compare-and-swap.
 */

import { hostname } from "node:os";
import { userName } from "../../foundation/process/user";
import type { Context } from "../../foundation/pulumi/resource";

/** The project of runtimes' stacks, see runtime/Pulumi.yaml. */
export const RUNTIMES = "stackyard-runtime";

/** One stack in one state backend. */
export interface StackName {
  /** `<project>/<stack>`. */
  readonly stack: string;
  /** See foundation/pulumi/backend.ts. */
  readonly backend: string;
}

export interface OwnerRecord extends StackName {
  /** Random id of the resource that owns the thing. Its state has the same id, which proves the ownership. */
  readonly owner: string;
  /** Rises with every change, from 1. The state of the owner has the generation of its last change. */
  readonly generation: number;
  /** Generation in the state of the owner when the last change began; 0 for a creation. */
  readonly from: number;
  /** `applying` from the begin of a change until it has succeeded. */
  readonly phase: "applying" | "applied";
  /** When the last change began (RFC 3339), and by which `user@host`. */
  readonly changedAt: string;
  readonly changedBy: string;
  /** The stack that may take the thing over, `<project>/<stack> in <backend>`. Written by `adopt`. */
  readonly offeredTo?: string;
}

/** A resource that is about to change a thing. */
export interface Claimant extends StackName {
  /** Id in its state; undefined in the preview of a new resource. */
  readonly owner: string | undefined;
  /** Generation in its state; 0 for a new resource, and for states from before there were generations. */
  readonly generation: number;
  /** Id of the resource that it replaces in the same stack. */
  readonly replaces?: string | undefined;
  /** Id of the owner whose things it takes over on request. */
  readonly adopts?: string | undefined;
  /** Whether it adopts by a command, which has offered the thing to its stack before. A preview comes before the offer. */
  readonly byCommand?: boolean;
  /** Whether its last update was interrupted, so that the state may lack the result. */
  readonly interrupted?: boolean;
  /** Whether another resource of the stack has the record, so that its creation is no interrupted one of this resource. */
  readonly isOther?: boolean;
}

/** A resource in its backend. */
export type Located = Pick<Context, "urn" | "backend">;

export const stackOf = ({ urn, backend }: Located): StackName => ({ stack: stackIn(urn), backend });

/** The stack in a URN: `urn:pulumi:<stack>::<project>::…`. */
export function stackIn(urn: string): string {
  const [head = "", project = ""] = urn.split("::");
  return `${project}/${head.replace(/^urn:pulumi:/, "")}`;
}

/** How {@link OwnerRecord.offeredTo} names a stack. */
export const offerTo = ({ stack, backend }: StackName): string => `${stack} in ${backend}`;

/** Whether two records are of the same change. An offer to another stack is none. */
export const isSameChange = (a: OwnerRecord | undefined, b: OwnerRecord | undefined): boolean =>
  a?.owner === b?.owner && a?.generation === b?.generation && a?.changedAt === b?.changedAt;

/** The record of a thing from before there were records. Its owner has an id and no generation. */
export const recordBefore = (owner: string): OwnerRecord => ({
  owner,
  ...{ stack: "", backend: "", generation: 0, from: 0, phase: "applied", changedAt: "", changedBy: "" },
});

/** The record that the claimant writes before its change. */
export function begun(record: OwnerRecord | undefined, claimant: Claimant, owner: string): OwnerRecord {
  return {
    owner,
    stack: claimant.stack,
    backend: claimant.backend,
    // Someone may have written the largest number to the record. It can't rise then, but stays readable.
    generation: Math.min(Math.max(record?.generation ?? 0, claimant.generation) + 1, Number.MAX_SAFE_INTEGER),
    from: claimant.generation,
    phase: "applying",
    changedAt: new Date().toISOString(),
    changedBy: (thisUser ??= `${userName()}@${hostname()}`),
  };
}

/** Asked of the system once. */
let thisUser: string | undefined;
