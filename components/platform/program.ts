import type * as pulumi from "@pulumi/pulumi";
import { readOwnState } from "../resources/ownState";
import { readConfig } from "./config/decode";
import { createPlatform } from "./create";
import { lookAround } from "./look";

/**
 * The platform of a stack: Pulumi calls this function, and its result becomes the stack outputs. components/features.ts
 * lists what it creates.
 */
export async function platform(): Promise<pulumi.Inputs> {
  const given = readConfig();
  const state = readOwnState();
  const { config, charts, skipped, offered } = await lookAround(given, state);
  const outputs = await createPlatform(config, charts, state, offered);
  return { ...outputs, ...(skipped && { skipped }) };
}
