import type { TerasliceSettings } from "../../teraslice/settings";
import { ConfigError, inOrder, type Fault } from "../faults";
import { faultsOf, type Place } from "../issues";
import { terasliceFaults } from "./checks";
import { resolveTeraslice } from "./decode";
import { terasliceSchema } from "./schema";

/**
 * Settings of Teraslice out of a platform's config, whatever else is in that, for work that needs no cluster. Also
 * where it is turned off; undefined where there is none. Throws one {@link ConfigError} with every fault.
 */
export function decodeTerasliceAlone(values: Readonly<Record<string, unknown>>): TerasliceSettings | undefined {
  const key = "teraslice";
  if (values[key] === undefined) return undefined;
  const place: Place = { root: values, secretKeys: new Set() };
  const faults: Fault[] = [];
  const input = terasliceSchema.safeParse(values[key]);
  if (!input.success) faults.push(...faultsOf(input.error.issues, [key], place));
  const settings = input.data && resolveTeraslice(input.data);
  if (input.data && settings) faults.push(...terasliceFaults(input.data, settings, place));
  if (faults.length > 0) throw new ConfigError(inOrder(faults, values));
  return settings;
}
