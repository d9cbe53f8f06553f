import * as pulumi from "@pulumi/pulumi";
import { isObject } from "../../foundation/json/isObject";
import type { StateResources } from "../resources/ownState";

const STACK = "pulumi:pulumi:Stack";

/** Names of existing provisioners whose revision changed. */
export function changedProvisioners(state: StateResources, revisions: Readonly<Record<string, string>>): string[] {
  const stack = Object.values(state).find(({ type }) => type === STACK);
  const before = stack?.outputs["provisionerRevisions"];
  if (!isObject(before)) return [];
  const known = Object.entries(revisions).filter(([name]) => typeof before[name] === "string");
  return known.flatMap(([name, revision]) => (before[name] === revision ? [] : [name]));
}

/**
 * Logs provisioners that changed. Templates belong to no resource of the platform: an update that changes only them
 * would report no changes, as if it ignored them.
 */
export async function noteChanged(
  state: Promise<StateResources>,
  revisions: Readonly<Record<string, string>>,
): Promise<void> {
  for (const name of changedProvisioners(await state, revisions)) {
    await pulumi.log.info(
      `the provisioner ${name} has changed (templates, image, host, size of a slot, …); its runtimes stay as they are until ` +
        `they are updated: stackyard runtime up --outdated --provisioner ${name}`,
    );
  }
}
