import * as path from "node:path";
import { testYard } from "../../toolchain/commands/test";
import { projectRoot } from "../../toolchain/root";
import { ensureTools } from "../../toolchain/tools/ensure";
import { startYard, stopYard, type Yard } from "../../toolchain/yard";

const directory = testYard(projectRoot());
let yard: Yard | undefined;

/** One yard for all engine tests, made new: what an earlier run that was killed left behind goes first. */
export const mochaHooks = {
  async beforeAll(this: Mocha.Context): Promise<void> {
    this.timeout(120_000);
    await stopYard({ directory });
    yard = await startYard({ directory });
    // For tests that start a tool without the yard's environment.
    const { folders } = await ensureTools(projectRoot());
    process.env["PATH"] = [...folders, process.env["PATH"]].join(path.delimiter);
    process.env["STACKYARD_TEST_YARD"] = directory;
    process.env["STACKYARD_TEST_LEDGER_URL"] = yard.ledgerUrl;
  },
  async afterAll(): Promise<void> {
    await yard?.stop();
  },
};
