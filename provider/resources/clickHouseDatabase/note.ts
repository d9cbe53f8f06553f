/** The comment of a database, which records its owner. */

import type { DatabaseInputs } from "./inputs";

/** What exists under the names of the database and the user. */
export interface ExistingNames {
  readonly database: boolean;
  readonly user: boolean;
  readonly comment: string;
  /** Instance id in the database's comment; undefined if there is none. */
  readonly instance?: string;
}

/** Whether the database's comment has this instance id. */
export const isNoted = (
  found: Pick<ExistingNames, "instance">,
  { instance }: Pick<DatabaseInputs, "instance">,
): boolean => instance !== undefined && found.instance === instance;

type Noted = Pick<DatabaseInputs, "instance" | "owner" | "provisioner">;

export const noteOf = ({ instance, owner, provisioner }: Noted): string =>
  JSON.stringify({ stackyard: instance, of: owner, with: provisioner });

/** Comment of a retained database: its deployment is deleted, and it is no longer in use. */
export const keptNoteOf = ({ instance, owner }: Noted): string =>
  JSON.stringify({ stackyard: instance, of: owner, kept: "the deployment was destroyed" });

export const instanceIn = (comment: string): string | undefined => textIn(comment, "stackyard");

/**
 * Whether an administrator has assigned the database to this stack by its comment, for example after its state was
 * lost.
 */
export const isGiven = (
  { comment }: Pick<ExistingNames, "comment">,
  { owner }: Pick<DatabaseInputs, "owner">,
): boolean => textIn(comment, "adopt") === owner;

/** Describes the owner of a database, for a message. */
export function describeOwner({ comment }: Pick<ExistingNames, "comment">): string {
  if (instanceIn(comment) === undefined) return "was not made by Stackyard";
  return `belongs to another stack (${textIn(comment, "of") ?? "it does not say of what"})`;
}

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
    return undefined; // The comment was not written by us.
  }
}
