import * as pulumi from "@pulumi/pulumi";
import type { TurnedOff } from "../config/platformConfig";
import { runningOf } from "./running";

/** Says what goes with the components that are turned off in this run, before anything goes. */
export async function tellTurnedOff(components: readonly TurnedOff[]): Promise<void> {
  if (components.length === 0) return;
  const running = await runningOf(components.map(({ token }) => token));
  for (const { component, token, consequences } of components) {
    if (running.has(token)) await pulumi.log.warn(`stackyard:${component} is turned off: ${consequences}`);
  }
}
