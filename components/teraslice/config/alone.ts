import type { TerasliceConfig } from "../job/settings";
import { valueAt } from "../../../foundation/schema/describe";
import { ConfigError, sortFaults, type Fault, type Path } from "../../../foundation/schema/faults";
import type { Files } from "../../../foundation/schema/files";
import { faultsOf, reservedKeys, schemaWith, type FaultContext } from "../../../foundation/schema/issues";
import { decodeMaster } from "./decode";
import { terasliceSchema } from "./schema";

/**
 * Decodes a single Teraslice master from a platform's config, for commands that need no cluster. Works for a disabled
 * master too; undefined if there is none. Throws one {@link ConfigError} with every fault.
 */
export function decodeTerasliceAlone(
  values: Readonly<Record<string, unknown>>,
  files: Files,
  base: Path = ["teraslice"],
): TerasliceConfig | undefined {
  const value = valueAt(values, base);
  if (value === undefined) return undefined;
  const place: FaultContext = { root: values, schema: schemaWith(base, terasliceSchema), secretKeys: new Set() };
  const faults: Fault[] = reservedKeys(value, base);
  const input = terasliceSchema.safeParse(value);
  if (!input.success) faults.push(...faultsOf(input.error.issues, base, place));
  const config = input.data && decodeMaster(input.data, base, { files, place, faults, warnings: [] });
  if (faults.length > 0) throw new ConfigError(sortFaults(faults, values));
  return config;
}
