import { readOwnState } from "./ownState";
import { component } from "./package";

/** Those of the component classes (`JupyterHub`) that this stack's state, as it was before this run, has resources of. */
export async function runningOf(classes: readonly string[]): Promise<ReadonlySet<string>> {
  const urns = Object.keys(await readOwnState());
  return new Set(classes.filter((name) => urns.some((urn) => urn.includes(`${component(name)}$`))));
}
