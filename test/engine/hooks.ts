import * as path from "node:path";
import { testYard } from "../../toolchain/yard/sideYards";
import { projectRoot } from "../../toolchain/root";
import { ensureTools } from "../../toolchain/tools/ensure";
import { startYard, stopYard, type Yard } from "../../toolchain/yard/yard";

let yard: Yard | undefined;

/**
 * Cheaper processes: programs in Go (engine, providers, control plane) collect garbage half as often, and etcd does not
 * wait for the disk. What is killed loses nothing by that, as the kernel keeps what was written.
 */
const FAST = { GOGC: "200", ETCD_UNSAFE_NO_FSYNC: "true" } as const;

/** One yard for all engine tests of a process, made new: what an earlier run that was killed left behind goes first. */
export async function beginYard(directory: string): Promise<void> {
  await stopYard({ directory });
  for (const [name, value] of Object.entries(FAST)) process.env[name] ??= value;
  yard = await startYard({ directory });
  // For tests that start a tool without the yard's environment.
  const { folders } = await ensureTools(projectRoot());
  process.env["PATH"] = [...folders, process.env["PATH"]].join(path.delimiter);
  process.env["STACKYARD_TEST_YARD"] = directory;
  process.env["STACKYARD_TEST_LEDGER_URL"] = yard.ledgerUrl;
}

export async function endYard(): Promise<void> {
  await yard?.stop();
}

/** For mocha's own command line, which runs all files of the layer in one process. */
export const mochaHooks = {
  async beforeAll(this: Mocha.Context): Promise<void> {
    this.timeout(120_000);
    await beginYard(testYard(projectRoot()));
  },
  async afterAll(): Promise<void> {
    await endYard();
  },
};
