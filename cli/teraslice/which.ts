import { SINGLE } from "../../components/teraslice/settings";
import { Failure } from "../../foundation/errors";

/** Which of a platform's masters a command is about. */

/**
 * The one that was requested among those that there are, by their names; `default` is the one at `stackyard:teraslice`.
 * Unasked it is that one, or the only one. `where` says whose they are.
 */
export function whichMaster(asked: string | undefined, names: readonly string[], where: string): string {
  if (asked !== undefined) {
    if (names.includes(asked)) return asked;
    throw new Failure(`${where} has no Teraslice cluster ${asked}; it has ${names.join(", ") || "none"}`);
  }
  const [only, ...others] = names;
  if (names.includes(SINGLE)) return SINGLE;
  if (only !== undefined && others.length === 0) return only;
  if (only === undefined) throw new Failure(`${where} has no Teraslice cluster`);
  throw new Failure(`${where} has several Teraslice clusters: ${names.join(", ")}; choose one with --cluster`);
}

/** The option that makes a command about the same master, for advice. */
export const flagOf = ({ cluster }: { readonly cluster?: string }): string =>
  cluster === undefined ? "" : ` --cluster ${cluster}`;
