import { ConfigError } from "../../components/config/faults";
import { decodeTerasliceAlone } from "../../components/config/teraslice/alone";
import type { TerasliceSettings } from "../../components/teraslice/settings";
import { describedStack } from "../delivery/stacks";
import { Failure } from "../errors";

/** Teraslice's settings as a stack's file describes them, also when it is turned off. */
export async function describedTeraslice(root: string, stack: string): Promise<TerasliceSettings> {
  const { config, file } = await describedStack(root, stack);
  try {
    const settings = decodeTerasliceAlone(config);
    if (settings !== undefined) return settings;
  } catch (error) {
    throw error instanceof ConfigError ? new Failure(error.message) : error;
  }
  throw new Failure(`${file} has no stackyard:teraslice; the settings of a master are what pods of jobs follow from`);
}
