/** The comment of a database, which records its owner. */

import type { DatabaseInputs } from "./inputs";

/** What exists under the names. */
export interface Found {
  readonly database: boolean;
  readonly user: boolean;
  readonly comment: string;
  /** Which instance the database is of; undefined when its comment does not say. */
  readonly instance?: string;
}

/** Whether a database that was found says that it is of this instance. */
export const isNoted = (found: Pick<Found, "instance">, { instance }: Pick<DatabaseInputs, "instance">): boolean =>
  instance !== undefined && found.instance === instance;

type Noted = Pick<DatabaseInputs, "instance" | "owner" | "provisioner">;

export const noteOf = ({ instance, owner, provisioner }: Noted): string =>
  JSON.stringify({ stackyard: instance, of: owner, with: provisioner });

/** The note of a database that stays when its deployment goes: it is no longer in use. */
export const keptNoteOf = ({ instance, owner }: Noted): string =>
  JSON.stringify({ stackyard: instance, of: owner, kept: "the deployment was destroyed" });

export const instanceIn = (comment: string): string | undefined => textIn(comment, "stackyard");

/** Whether somebody with the right to write comments has given the database to this stack, whose state was lost for instance. */
export const isGiven = ({ comment }: Pick<Found, "comment">, { owner }: Pick<DatabaseInputs, "owner">): boolean =>
  textIn(comment, "adopt") === owner;

/** Owner of a database of another user, for a message. */
export function whose({ comment }: Pick<Found, "comment">): string {
  if (instanceIn(comment) === undefined) return "was not made by Stackyard";
  return `belongs to another stack (${textIn(comment, "of") ?? "it does not say of what"})`;
}

/** A database that says which stack it is of. */
export interface NotedDatabase {
  readonly database: string;
  readonly instance: string;
  /** Platform stack, `organization/project/stack`. */
  readonly platform: string;
  /** Id of the deployment. */
  readonly deployment: string;
  /** Absent if an older version made it. */
  readonly provisioner?: string;
}

/** Undefined for a database of another user's, and for one that was kept when its deployment went. */
export function notedDatabase(database: string, comment: string): NotedDatabase | undefined {
  const [instance, of, provisioner] = [instanceIn(comment), textIn(comment, "of"), textIn(comment, "with")];
  if (instance === undefined || of === undefined || textIn(comment, "kept") !== undefined) return undefined;
  const end = of.lastIndexOf("/");
  const known = provisioner === undefined ? {} : { provisioner };
  return { database, instance, platform: of.slice(0, end), deployment: of.slice(end + 1), ...known };
}

function textIn(comment: string, key: string): string | undefined {
  try {
    const value = (JSON.parse(comment) as Record<string, unknown> | null)?.[key];
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined; // Written by another user.
  }
}
