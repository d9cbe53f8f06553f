import type { TerasliceConfig } from "../../teraslice/job/settings";
import { ConfigError, inOrder, type Fault } from "../faults";
import type { Files } from "../files";
import { faultsOf, type Place } from "../issues";
import { terasliceFaults } from "./checks";
import { resolveTeraslice } from "./decode";
import { decodeJobs } from "./jobs";
import { terasliceSchema } from "./schema";

/**
 * Teraslice out of a platform's config, whatever else is in that, for work that needs no cluster. Also
 * where it is turned off; undefined where there is none. Throws one {@link ConfigError} with every fault.
 */
export function decodeTerasliceAlone(
  values: Readonly<Record<string, unknown>>,
  files: Files,
): TerasliceConfig | undefined {
  const key = "teraslice";
  if (values[key] === undefined) return undefined;
  const place: Place = { root: values, secretKeys: new Set() };
  const faults: Fault[] = [];
  const input = terasliceSchema.safeParse(values[key]);
  if (!input.success) faults.push(...faultsOf(input.error.issues, [key], place));
  let config: TerasliceConfig | undefined;
  if (input.data !== undefined) {
    const settings = resolveTeraslice(input.data);
    faults.push(...terasliceFaults(input.data, settings, place));
    config = { ...settings, jobs: decodeJobs(input.data.jobs, settings, { files, place, faults }) };
  }
  if (faults.length > 0) throw new ConfigError(inOrder(faults, values));
  return config;
}
