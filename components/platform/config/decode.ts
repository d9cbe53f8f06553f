import * as pulumi from "@pulumi/pulumi";
import { decodeConfig } from "./decodeConfig";
import { ConfigError } from "../../../foundation/schema/faults";
import { projectFiles } from "../../../foundation/schema/files";
import type { PlatformConfig } from "./platformConfig";
import { rawConfig } from "./raw";

// Public at run time, but marked internal in the types. Only this function distinguishes a secret from a plain value
// without an Output.
const { isConfigSecret } = pulumi.runtime as unknown as { isConfigSecret: (key: string) => boolean };

/**
 * Decodes the stack config. This is the only code of the platform that reads it from Pulumi. Relative paths start at
 * the working directory, which the engine sets to the project folder. Throws a RunError with every fault; the engine
 * prints it without a stack trace.
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
