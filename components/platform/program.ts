import type * as pulumi from "@pulumi/pulumi";
import { readOwnState } from "../resources/ownState";
import { warnOfSizes } from "./checks/existingNodes";
import { readConfig } from "./config/decode";
import { createPlatform } from "./create";
import { placedPods } from "./facts";
import { lookAround } from "./look";

/**
 * The platform of a stack: Pulumi calls this function, and its result becomes the stack outputs. components/features.ts
 * lists what it creates.
 */
export async function platform(): Promise<pulumi.Inputs> {
  const given = readConfig();
  const state = readOwnState();
  // Runs while the provider starts. It only logs a warning, so no resource waits for it.
  const sizes = warnOfSizes(given.cluster, placedPods(given));
  sizes.catch(() => undefined);
  const { config, charts, skipped, offered } = await lookAround(given, state);
  const outputs = await createPlatform(config, charts, state, offered);
  await sizes;
  return { ...outputs, ...(skipped && { skipped }) };
}
