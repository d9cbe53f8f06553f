/** What somebody lets an upgrade of CustomResourceDefinitions do: checks by name, of all of them or of one. */

import { CHECKS, isCheck, type Check } from "./checks";

/** In the place of a check: objects that would not fit. */
export const MISFITS = "misfits";

const NEVER = "storedVersionRemoved" satisfies Check;

/** `fieldRemoved` of every CRD, `widgets.example.com/fieldRemoved` of one. */
export const isAllowance = (text: string): boolean => {
  const [crd, name] = split(text);
  return (isCheck(name) || name === MISFITS) && (crd === undefined || /^[a-z0-9.-]+\.[a-z0-9.-]+$/.test(crd));
};

export const ALLOWANCES = `one of ${[...Object.keys(CHECKS), MISFITS].join(", ")}; with <CRD>/ before it for one CustomResourceDefinition only`;

function split(text: string): [string | undefined, string] {
  const slash = text.indexOf("/");
  return slash < 0 ? [undefined, text] : [text.slice(0, slash), text.slice(slash + 1)];
}

/** What the API server refuses in any case nobody can allow. */
export const isAllowed = (allowances: readonly string[], crd: string, name: Check | typeof MISFITS): boolean =>
  name !== NEVER && (allowances.includes(name) || allowances.includes(`${crd}/${name}`));

export const canBeAllowed = (check: Check): boolean => check !== NEVER;
