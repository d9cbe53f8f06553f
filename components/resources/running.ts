import { component } from "./package";
import { previousResources } from "./previousState";

/** Those of the component classes (`JupyterHub`) that this stack's state, as it was before this run, has resources of. */
export async function runningOf(classes: readonly string[]): Promise<ReadonlySet<string>> {
  const urns = Object.keys(await previousResources());
  return new Set(classes.filter((name) => urns.some((urn) => urn.includes(`${component(name)}$`))));
}
