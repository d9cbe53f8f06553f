import "./foundation/schema/interpreted";
import type * as pulumi from "@pulumi/pulumi";
import { warnOfSizes } from "./components/platform/checks/existingNodes";
import { readConfig } from "./components/platform/config/decode";
import { createPlatform } from "./components/platform/create";
import { placedPods } from "./components/platform/facts";
import { lookAround } from "./components/platform/look";
import { readOwnState } from "./components/resources/ownState";

/** Pulumi calls this function. Its result becomes the stack outputs. components/features.ts lists what it creates. */
export = async (): Promise<pulumi.Inputs> => {
  const given = readConfig();
  const state = readOwnState();
  // Runs while the provider starts. It only logs a warning, so no resource waits for it.
  const sizes = warnOfSizes(given.cluster, placedPods(given));
  sizes.catch(() => undefined);
  const { config, charts, skipped } = await lookAround(given, state);
  const outputs = await createPlatform(config, charts, state);
  await sizes;
  return { ...outputs, ...(skipped && { skipped }) };
};
