/** What somebody lets an upgrade of CustomResourceDefinitions do: checks by name, of all of them or of one. */

import { CHECKS, isCheck, type Check } from "./checks";

/** In the place of a check: existing objects that would become invalid. */
export const INVALID_OBJECTS = "invalidObjects";
/** What it was called before; configs may still have it. */
const FORMER = "misfits";

const NEVER = "storedVersionRemoved" satisfies Check;

/** `fieldRemoved` of every CRD, `widgets.example.com/fieldRemoved` of one. */
export const isAllowance = (text: string): boolean => {
  const [crd, name] = split(text);
  return (isCheck(name) || isInvalidObjects(name)) && (crd === undefined || /^[a-z0-9.-]+\.[a-z0-9.-]+$/.test(crd));
};

export const ALLOWANCES = `one of ${[...Object.keys(CHECKS), INVALID_OBJECTS].join(", ")}; with <CRD>/ before it for one CustomResourceDefinition only`;

function split(text: string): [string | undefined, string] {
  const slash = text.indexOf("/");
  return slash < 0 ? [undefined, text] : [text.slice(0, slash), text.slice(slash + 1)];
}

/** What the API server refuses in any case nobody can allow. */
export const isAllowed = (allowances: readonly string[], crd: string, name: Check | typeof INVALID_OBJECTS): boolean =>
  name !== NEVER &&
  [name, ...(name === INVALID_OBJECTS ? [FORMER] : [])].some(
    (one) => allowances.includes(one) || allowances.includes(`${crd}/${one}`),
  );

/** Whether the name of an allowance, without its CRD, is about existing objects. */
export const isInvalidObjects = (name: string): boolean => name === INVALID_OBJECTS || name === FORMER;

export const canBeAllowed = (check: Check): boolean => check !== NEVER;
