import * as path from "node:path";
import { startYard } from "../../../../toolchain/yard/yard";
import { layoutOf } from "../../../../toolchain/yard/layout";
import { allProcesses, ofYard } from "../../../../toolchain/yard/processes";
import { foldersOf, readRecord } from "../../../../toolchain/yard/record";

const directory = (): string => process.env["STACKYARD_TEST_YARD"] ?? "";

/** Pids of a server's processes in the yard of these tests. */
export function serverPids(program: "postgres" | "kube-apiserver"): number[] {
  const layout = layoutOf(directory());
  const servers = ofYard(allProcesses(), foldersOf(layout, readRecord(layout)));
  return servers.filter(({ args }) => path.basename(args[0] ?? "") === program).map(({ pid }) => pid);
}

/** Starts again what is missing of the yard. */
export async function startServers(): Promise<void> {
  await startYard({ directory: directory(), progress: false });
}
