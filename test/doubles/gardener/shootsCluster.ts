import { realpathSync } from "node:fs";
import { layoutOf } from "../../../toolchain/yard/layout";
import type { RuntimeCluster } from "./adminKubeconfig";
import { startRuntimeCluster } from "./runtimeCluster";

let started: Promise<RuntimeCluster> | undefined;

/**
 * A separate control plane for the clusters of all Shoots, shared by all tests of a process. It ends with their yard.
 */
export function shootsCluster(yard = process.env["STACKYARD_TEST_YARD"] ?? ""): Promise<RuntimeCluster> {
  started ??= startRuntimeCluster(layoutOf(realpathSync(yard)).shoots);
  return started;
}
