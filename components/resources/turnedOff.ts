import * as pulumi from "@pulumi/pulumi";
import type { TurnedOff } from "../config/platformConfig";
import type { StateResources } from "./ownState";
import { runningOf } from "./running";

/**
 * Warns of what goes with the components that are disabled in this run, before anything goes. `state` is the stack's as it
 * was before this run.
 */
export async function tellTurnedOff(components: readonly TurnedOff[], state: Promise<StateResources>): Promise<void> {
  if (components.length === 0) return;
  const running = runningOf(
    components.map(({ token }) => token),
    await state,
  );
  for (const { component, token, consequences } of components) {
    if (running.has(token)) await pulumi.log.warn(`stackyard:${component} is turned off: ${consequences}`);
  }
}
