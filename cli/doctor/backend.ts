import { messageOf } from "../../foundation/errors";
import { backendName, type Workspace } from "../../foundation/pulumi/backend";
import type { RawConfig } from "../../components/platform/config/decodeConfig";
import type { PlatformConfig } from "../../components/platform/config/platformConfig";
import { withStore } from "../../engine/pulumi/state/store";
import { decodePlatform, platformValues } from "../../engine/stack/config";
import { PLATFORM_PROJECT } from "../../engine/stack/names";
import type { DescribedStack } from "../project/stacks";
import { findingsOf, type Finding } from "./finding";

/** Whether the state backend answers, and has the stack. */
export async function backendFindings(workspace: Workspace, stack: string): Promise<Finding[]> {
  const { ok, fault } = findingsOf("backend");
  const place = backendName(workspace);
  try {
    const isThere = await withStore(workspace, (store) => store.exists(PLATFORM_PROJECT, stack));
    return [
      isThere
        ? ok(`${place} has the stack ${stack}`)
        : fault(`${place} has no stack ${stack}`, `pulumi stack init ${stack}`),
    ];
  } catch (error) {
    const remedy = "pulumi login URL, or set PULUMI_BACKEND_URL and its credentials";
    return [fault(`${place} can't be read: ${messageOf(error)}`, remedy)];
  }
}

interface Configured {
  /** Undefined if it has faults. */
  readonly config?: PlatformConfig;
  readonly findings: readonly Finding[];
}

/** Decrypts and decodes the config of the stack. */
export async function configFindings(workspace: Workspace, { name, file }: DescribedStack): Promise<Configured> {
  const { ok, warning, fault } = findingsOf("config");
  let raw: RawConfig;
  try {
    raw = await platformValues(workspace, name);
  } catch (error) {
    const remedy = "set PULUMI_CONFIG_PASSPHRASE, or sign in to the secrets provider that the stack file names";
    return { findings: [fault(`the secrets of ${file} can't be decrypted: ${messageOf(error)}`, remedy)] };
  }
  try {
    const config = decodePlatform(workspace, raw);
    const warnings = config.warnings.map((text) => warning(text, `change it in ${file}`));
    return { config, findings: [ok(`${file} is valid`), ...warnings] };
  } catch (error) {
    return { findings: [fault(messageOf(error), `correct it in ${file}; docs/config.md has every key`)] };
  }
}
