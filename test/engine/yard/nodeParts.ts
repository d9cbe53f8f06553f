import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { connect } from "../../../kubernetes/connect/connect";
import { pythonEnvironment } from "../../../toolchain/python/environment";
import { projectRoot } from "../../../toolchain/root";
import type { PythonFolders } from "../../../toolchain/yard/processNode/images";
import { noProcessNode } from "../../../toolchain/yard/processNode/node";

const run = promisify(execFile);

/** Environments of Python for a node whose pods run, or why this machine has no such node. */
export async function nodePython<Name extends string>(
  ...names: readonly Name[]
): Promise<{ missing: string } | Readonly<Record<Name, PythonFolders>>> {
  const reason = noProcessNode();
  if (reason !== undefined) return { missing: reason };
  const folders: [string, PythonFolders][] = [];
  for (const name of names) {
    const environment = await pythonEnvironment(name, projectRoot());
    if ("missing" in environment) return environment;
    const { stdout } = await run(environment.python, ["-c", "import sys; print(sys.base_prefix)"]);
    folders.push([name, { environment: path.dirname(path.dirname(environment.python)), interpreter: stdout.trim() }]);
  }
  return Object.fromEntries(folders) as Record<Name, PythonFolders>;
}

/** The address at which pods of that node reach this machine. */
export async function machineAddress(kubeconfig: string): Promise<string> {
  const client = connect(kubeconfig, undefined, {});
  const { status } = (await client.get({ apiVersion: "v1", kind: "Node", name: "processes" })) as unknown as {
    readonly status: { readonly addresses: readonly { readonly type: string; readonly address: string }[] };
  };
  return status.addresses.find(({ type }) => type === "InternalIP")!.address;
}
