/** Finds Pulumi's Kubernetes provider, which includes Helm's template engine. */

import { accessSync, constants } from "node:fs";
import { homedir } from "node:os";
import * as path from "node:path";
import { version } from "@pulumi/kubernetes/package.json";

export const EXECUTABLE = "pulumi-resource-kubernetes";

/** The version of the SDK. */
export const WANTED_VERSION = version;

/** Searches where Pulumi does: PATH, then the plugin cache. */
export function findExecutable(env: NodeJS.ProcessEnv): string | undefined {
  const home = env["PULUMI_HOME"] ?? path.join(homedir(), ".pulumi");
  const folders = [
    ...(env["PATH"] ?? "").split(path.delimiter),
    path.join(home, "plugins", `resource-kubernetes-v${version}`),
  ];
  return folders
    .filter((folder) => folder !== "")
    .map((folder) => path.join(folder, EXECUTABLE))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false; // Not in this folder.
      }
    });
}
