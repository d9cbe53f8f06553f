/** The comment of a database, which records its owner. */

import { objectIn, type Json } from "../../../foundation/json/isObject";
import { printable } from "../../../foundation/text/printable";
import type { OwnerRecord, StackName } from "../../../kubernetes/owners/record";
import type { DatabaseInputs } from "./inputs";

/** What exists under the names of the database and the user. */
export interface ExistingNames {
  readonly database: boolean;
  readonly user: boolean;
  /** Of the database, and of the lock that a change of it holds. */
  readonly comment: string;
  readonly lock?: string;
}

type Noted = Pick<DatabaseInputs, "owner" | "provisioner">;

/** The comment of a database. */
export const noteOf = ({ owner: of, provisioner }: Noted, { owner, ...record }: OwnerRecord): string =>
  JSON.stringify({ stackyard: owner, of, with: provisioner, ...record, phase: undefined });

/** Comment of a retained database: its deployment is deleted, and it is no longer in use. */
export const keptNoteOf = (noted: Noted, record: OwnerRecord): string =>
  JSON.stringify({ ...objectIn(noteOf(noted, record)), with: undefined, kept: "the deployment was destroyed" });

/** The record of the owner; undefined if there is none. Earlier versions wrote only the id, and of what it is. */
export function ownerIn({ comment, lock }: Pick<ExistingNames, "comment" | "lock">): OwnerRecord | undefined {
  const note = objectIn(comment);
  const owner = textIn(note, "stackyard");
  if (owner === undefined) return undefined;
  const number = (key: string): number => (Number.isSafeInteger(note[key]) ? (note[key] as number) : 0);
  const text = (key: string): string => textIn(note, key) ?? "";
  const record = {
    owner,
    stack: text("stack"),
    backend: text("backend"),
    generation: number("generation"),
    from: number("from"),
    changedAt: text("changedAt"),
    changedBy: text("changedBy"),
  };
  // A stack changes nothing twice at once, so its lock is of a change that was interrupted.
  const isInterrupted = lock !== undefined && isHeldBy(lock, record);
  return { ...record, phase: isInterrupted ? "applying" : "applied" };
}

/** The stack that changes a database, in the comment of the lock. */
export interface Holder extends StackName {
  readonly changedAt: string;
  readonly changedBy: string;
}

export function holderIn(comment: string): Holder {
  const note = objectIn(comment);
  const text = (key: string): string => textIn(note, key) ?? "unknown";
  return {
    stack: text("stack"),
    backend: text("backend"),
    changedAt: text("changedAt"),
    changedBy: text("changedBy"),
  };
}

export function isHeldBy(lock: string, { stack, backend }: StackName): boolean {
  const holder = holderIn(lock);
  return holder.stack === stack && holder.backend === backend;
}

/**
 * Whether an administrator has assigned the database to this stack by its comment, for example after its state was
 * lost.
 */
export const isGiven = (
  { comment }: Pick<ExistingNames, "comment">,
  { owner }: Pick<DatabaseInputs, "owner">,
): boolean => textIn(objectIn(comment), "adopt") === owner;

/** A database whose comment names its deployment. */
export interface NotedDatabase {
  readonly database: string;
  readonly instance: string;
  /** Platform stack, `organization/project/stack`. */
  readonly platform: string;
  /** Id of the deployment. */
  readonly deployment: string;
  /** Missing if an older version created the database. */
  readonly provisioner?: string;
}

/** Parses a comment; undefined for databases of other owners, and for retained ones. */
export function notedDatabase(database: string, comment: string): NotedDatabase | undefined {
  const note = objectIn(comment);
  const [instance, of, provisioner, kept] = ["stackyard", "of", "with", "kept"].map((key) => textIn(note, key));
  if (instance === undefined || of === undefined || kept !== undefined) return undefined;
  const end = of.lastIndexOf("/");
  const known = provisioner === undefined ? {} : { provisioner };
  return { database, instance, platform: of.slice(0, end), deployment: of.slice(end + 1), ...known };
}

function textIn(note: Json, key: string): string | undefined {
  const value = note[key];
  return typeof value === "string" ? printable(value) : undefined;
}
