import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { at } from "../../../foundation/json/parts";
import { renderPath } from "../../../foundation/schema/faults";
import { clickHouseSpec } from "../clickhouse/settings";
import { provisionerSpec } from "../types/registry";
import type { Platform } from "./platform";

/**
 * Checks the outputs of a platform stack. Our own program writes them, so a fault means that the stack is not deployed,
 * is not a platform stack, or was deployed by another version. Messages contain no values, because some are secret.
 */

const outputs = z.object({
  provisioners: z.record(z.string(), provisionerSpec),
  defaultProvisioner: z.string(),
  environments: z.record(z.string(), z.string()),
  slot: z.object({ cpu: z.number(), memoryGb: z.number(), diskGb: z.number() }),
  ledgerUrl: z.string().optional(),
  provisionerRevisions: z.record(z.string(), z.string()).optional(),
  clickhouse: z.record(z.string(), clickHouseSpec).optional(),
  clickhouseRevisions: z.record(z.string(), z.string()).optional(),
});

/** Decodes the platform from a stack's outputs. Throws an Error that states what to do. */
export function decodePlatform(stack: string, found: Readonly<Record<string, unknown>>): Platform {
  const name = stack.split("/").at(-1) ?? stack;
  if (Object.keys(found).length === 0) {
    throw new Error(
      `platform stack "${stack}" has no outputs; expected a deployed platform; deploy it first with: pulumi up -s ${name}`,
    );
  }
  const result = outputs.safeParse(found);
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path: steps, message }) => {
    const path = steps.map((step) => (typeof step === "symbol" ? String(step) : step));
    // The engine replaces a secret that it can't decrypt with an empty object.
    const isSealed = isDeepStrictEqual(at(found, ...path.map(String)), {});
    return { isSealed, where: renderPath(path), message };
  });
  const sealed = faults.filter(({ isSealed }) => isSealed).map(({ where }) => where);
  if (sealed.length > 0) {
    throw new Error(
      `the passphrase or key of this stack does not decrypt secrets of platform stack "${stack}": ${sealed.join(", ")}; expected the same one for both. ` +
        `Change that of the platform too (pulumi stack change-secrets-provider PROVIDER -s ${name}), or take the change of this stack back in the same way`,
    );
  }
  throw new Error(
    `platform stack "${stack}" is not what a runtime needs; expected a stack of project stackyard, updated by this version; try: pulumi up -s ${name}\n` +
      faults.map(({ where, message }) => `  - ${where}: ${message}`).join("\n"),
  );
}
