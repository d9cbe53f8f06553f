/** Allowed violations for upgrades of CustomResourceDefinitions: names of checks, for all CRDs or for one. */

import { CHECKS, isCheck, type Check } from "./checks";

/** Used like the name of a check: existing objects may become invalid. */
export const INVALID_OBJECTS = "invalidObjects";
/** Former name of it, which configs may still have. */
const FORMER = "misfits";

const NEVER = "storedVersionRemoved" satisfies Check;

/** `fieldRemoved` for every CRD, `widgets.example.com/fieldRemoved` for one. */
export const isAllowance = (text: string): boolean => {
  const [crd, name] = split(text);
  return (isCheck(name) || isInvalidObjects(name)) && (crd === undefined || /^[a-z0-9.-]+\.[a-z0-9.-]+$/.test(crd));
};

export const ALLOWANCES = `one of ${[...Object.keys(CHECKS), INVALID_OBJECTS].join(", ")}; with <CRD>/ before it for one CustomResourceDefinition only`;

function split(text: string): [string | undefined, string] {
  const slash = text.indexOf("/");
  return slash < 0 ? [undefined, text] : [text.slice(0, slash), text.slice(slash + 1)];
}

/** Violations that the API server always rejects can't be allowed. */
export const isViolationAllowed = (
  allowances: readonly string[],
  crd: string,
  name: Check | typeof INVALID_OBJECTS,
): boolean =>
  name !== NEVER &&
  [name, ...(name === INVALID_OBJECTS ? [FORMER] : [])].some(
    (one) => allowances.includes(one) || allowances.includes(`${crd}/${one}`),
  );

/** Whether an allowance, without its CRD, is about invalid objects. */
export const isInvalidObjects = (name: string): boolean => name === INVALID_OBJECTS || name === FORMER;

export const canBeAllowed = (check: Check): boolean => check !== NEVER;
