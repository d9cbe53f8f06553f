import type { StateResources } from "./ownState";
import { component } from "./package";

/** Those of the component classes (`JupyterHub`) that a stack's state has resources of. */
export function runningOf(classes: readonly string[], state: StateResources): ReadonlySet<string> {
  const urns = Object.keys(state);
  return new Set(classes.filter((name) => urns.some((urn) => urn.includes(`${component(name)}$`))));
}
