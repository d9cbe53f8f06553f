import { SINGLE } from "../../components/teraslice/settings";
import { Failure } from "../../foundation/errors";

/** Selects the master that a command uses. */

/**
 * Returns the requested master among `names`; `default` is the one at `stackyard:teraslice`. Without a request, that
 * one or the only one. `where`: describes their owner in errors.
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

/** The option that selects the same master, for advice. */
export const flagOf = ({ cluster }: { readonly cluster?: string }): string =>
  cluster === undefined ? "" : ` --cluster ${cluster}`;
