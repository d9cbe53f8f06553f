import { decodeConfig, type RawConfig } from "../../components/platform/config/decodeConfig";
import type { Workspace } from "../../foundation/pulumi/backend";
import { ConfigError } from "../../foundation/schema/faults";
import { projectFiles } from "../../foundation/schema/files";
import type { PlatformConfig } from "../../components/platform/config/platformConfig";
import { rawConfig } from "../../components/platform/config/raw";
import { pulumi } from "../pulumi/pulumi";
import { Failure } from "../../foundation/errors";
import { platformReference } from "./names";

interface Entry {
  readonly value?: string;
  readonly secret: boolean;
}

/** Returns the config of a platform stack as its program sees it: decrypted and with all defaults. */
export const platformConfig = async (workspace: Workspace, stack: string): Promise<PlatformConfig> =>
  decodePlatform(workspace, await platformValues(workspace, stack));

/** Returns the decrypted config of a platform stack. */
export async function platformValues(workspace: Workspace, stack: string): Promise<RawConfig> {
  const reference = platformReference(stack);
  const printed = await pulumi(["config", "--json", "--show-secrets", "--stack", reference], workspace);
  const entries = JSON.parse(printed) as Readonly<Record<string, Entry>>;
  const all = Object.fromEntries(Object.entries(entries).map(([key, { value = "" }]) => [key, value]));
  return rawConfig(all, reference.split("/").at(-1) ?? "", (key) => entries[key]?.secret === true);
}

/** Throws a failure that lists every fault. */
export function decodePlatform(workspace: Workspace, raw: RawConfig): PlatformConfig {
  try {
    return decodeConfig(raw, projectFiles(workspace.folder));
  } catch (error) {
    throw error instanceof ConfigError ? new Failure(error.message) : error;
  }
}
