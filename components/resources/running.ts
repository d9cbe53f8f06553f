import type { StateResources } from "./ownState";
import { component } from "./package";

/** Which of the component classes, such as `JupyterHub`, have resources in a stack's state. */
export function runningOf(classes: readonly string[], state: StateResources): ReadonlySet<string> {
  const urns = Object.keys(state);
  return new Set(classes.filter((name) => urns.some((urn) => isOf(urn, name))));
}

/** Whether a resource belongs to a component of this class. */
export const isOf = (urn: string, token: string): boolean => urn.includes(`${component(token)}$`);
