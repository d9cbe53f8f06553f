import * as pulumi from "@pulumi/pulumi";
import { decodeConfig } from "./decodeConfig";
import { ConfigError } from "../../../foundation/schema/faults";
import { projectFiles } from "../../../foundation/schema/files";
import type { PlatformConfig } from "./platformConfig";
import { rawConfig } from "./raw";

// Public at run time, marked internal in the types; nothing else distinguishes a secret from a plain value without an Output.
const { isConfigSecret } = pulumi.runtime as unknown as { isConfigSecret: (key: string) => boolean };

/**
 * The stack's config, decoded. The only place that asks Pulumi for it; the engine runs programs in the project's
 * folder, where relative paths start. Throws a RunError with every fault: the engine prints it without a stack trace.
 */
export function readConfig(): PlatformConfig {
  try {
    const raw = rawConfig(pulumi.runtime.allConfig(), pulumi.getStack(), isConfigSecret);
    const config = decodeConfig(raw, projectFiles(process.cwd()));
    for (const warning of config.warnings) void pulumi.log.warn(warning);
    return config;
  } catch (error) {
    throw error instanceof ConfigError ? new pulumi.RunError(error.message) : error;
  }
}
