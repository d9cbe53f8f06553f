/** Where the Kubernetes provider of Pulumi is, which includes the real engine for Helm charts. */

import { accessSync, constants } from "node:fs";
import { homedir } from "node:os";
import * as path from "node:path";
import { version } from "@pulumi/kubernetes/package.json";

export const EXECUTABLE = "pulumi-resource-kubernetes";

/** The one that belongs to the SDK. */
export const WANTED_VERSION = version;

/** Where Pulumi itself would look first: PATH, then the plugin cache. */
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
