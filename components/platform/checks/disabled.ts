import * as pulumi from "@pulumi/pulumi";
import type { DisabledComponent } from "../../contract/decoding";
import type { StateResources } from "../../resources/ownState";
import { isOf } from "../../resources/running";

/** Warns of what disabled components will delete in this run. `state`: the stack's state before this run. */
export async function warnOfDisabled(
  components: readonly DisabledComponent[],
  state: Promise<StateResources>,
): Promise<void> {
  if (components.length === 0) return;
  const urns = Object.keys(await state);
  for (const { component, token, resource, consequences } of components) {
    const own = urns.filter((urn) => isOf(urn, token) && (resource === undefined || urn.endsWith(`::${resource}`)));
    if (own.length > 0) await pulumi.log.warn(`stackyard:${component} is disabled: ${consequences}`);
  }
}
