/** The comment of a database, by which it says whose it is. */

import type { DatabaseInputs } from "./inputs";

/** What there is under the names. */
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

export const noteOf = ({ instance, owner }: Pick<DatabaseInputs, "instance" | "owner">): string =>
  JSON.stringify({ stackyard: instance, of: owner });

export const instanceIn = (comment: string): string | undefined => textIn(comment, "stackyard");

/** Whether somebody with the right to write comments has given the database to this stack, whose state was lost for instance. */
export const isGiven = ({ comment }: Pick<Found, "comment">, { owner }: Pick<DatabaseInputs, "owner">): boolean =>
  textIn(comment, "adopt") === owner;

/** Whose a database is that is not ours, for people. */
export function whose({ comment }: Pick<Found, "comment">): string {
  if (instanceIn(comment) === undefined) return "was not made by Stackyard";
  return `belongs to another stack (${textIn(comment, "of") ?? "it does not say of what"})`;
}

function textIn(comment: string, key: string): string | undefined {
  try {
    const value = (JSON.parse(comment) as Record<string, unknown> | null)?.[key];
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined; // Written by somebody else.
  }
}
