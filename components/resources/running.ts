import type { StateResources } from "./ownState";
import { component } from "./package";

/** Those of the component classes (`JupyterHub`) that a stack's state has resources of. */
export function runningOf(classes: readonly string[], state: StateResources): ReadonlySet<string> {
  const urns = Object.keys(state);
  return new Set(classes.filter((name) => urns.some((urn) => isOf(urn, name))));
}

/** Whether a resource belongs to a component of this class. */
export const isOf = (urn: string, token: string): boolean => urn.includes(`${component(token)}$`);
