import * as fs from "node:fs";
import * as path from "node:path";
import { connect } from "../../../kubernetes/connect/connect";
import { projectRoot } from "../../../toolchain/root";
import { ensureTools } from "../../../toolchain/tools/ensure";
import { ensureCluster, stopCluster } from "../../../toolchain/yard/cluster";
import { credentialsOf } from "../../../toolchain/yard/clusterConfig";
import { layoutOf } from "../../../toolchain/yard/layout";
import { choosePorts, type Ports } from "../../../toolchain/yard/ports";
import type { RuntimeCluster } from "./adminKubeconfig";

/** Starts a second control plane with nodes, like a yard's, but without a database. */
export async function startRuntimeCluster(directory: string): Promise<RuntimeCluster> {
  const root = projectRoot();
  fs.mkdirSync(directory, { recursive: true });
  const layout = layoutOf(fs.realpathSync(directory));
  const remembered = path.join(layout.directory, "ports.json");
  const ports = fs.existsSync(remembered)
    ? (JSON.parse(fs.readFileSync(remembered, "utf8")) as Ports)
    : await choosePorts(layout.directory);
  fs.writeFileSync(remembered, JSON.stringify(ports));
  const { programs } = await ensureTools(root);
  await ensureCluster({ layout, ports, programs, furniture: path.join(root, "toolchain", "yard") });
  return runtimeCluster(layout.directory);
}

/** Returns the control plane of a yard, or of {@link startRuntimeCluster}. */
export function runtimeCluster(directory: string): RuntimeCluster {
  const layout = layoutOf(fs.realpathSync(directory));
  const kubeconfig = fs.readFileSync(layout.kubeconfig, "utf8");
  const { clusters } = JSON.parse(kubeconfig) as { clusters: { cluster: { server: string } }[] };
  const server = clusters[0]?.cluster.server ?? "";
  return { client: connect(kubeconfig, undefined, {}), server, ca: credentialsOf(layout).ca.toString("utf8") };
}

/** Stops and removes it with all its data. */
export async function stopRuntimeCluster(directory: string): Promise<void> {
  if (!fs.existsSync(directory)) return;
  await stopCluster(layoutOf(fs.realpathSync(directory)));
  fs.rmSync(directory, { recursive: true, force: true });
}
