import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { distinct } from "../engine/diagnostics";
import type { Outcome } from "../engine/operation";
import { pulumi, PulumiProcess } from "../engine/pulumi";
import { throughLocks, type LockOptions } from "./locked";
import { withoutPending, type ExportedState } from "../state/pending";

/**
 * Takes what a killed update was making into the state, so that the operation that follows finds it. Secrets stay
 * encrypted on the way. Answers how it failed, or nothing.
 */
export async function settlePending(options: LockOptions): Promise<Outcome | undefined> {
  const { stack, folder, note } = options;
  const exported = JSON.parse(await pulumi(["stack", "export", "--stack", stack], folder)) as {
    readonly deployment: ExportedState;
  };
  const temporary = await mkdtemp(path.join(tmpdir(), "stackyard-"));
  try {
    const file = path.join(temporary, "state.json");
    await writeFile(file, JSON.stringify({ ...exported, deployment: withoutPending(exported.deployment) }), {
      mode: 0o600,
    });
    const run = () => ended(new PulumiProcess(["stack", "import", "--stack", stack, "--file", file], folder));
    const outcome = await throughLocks(run, options);
    if (!outcome.ok) return outcome;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  note("an earlier update was interrupted; what it was making is taken into account");
  return undefined;
}

async function ended(process: PulumiProcess): Promise<Outcome> {
  const { code, stderr } = await process.finished;
  return { ok: code === 0, outputs: {}, changes: {}, errors: distinct([stderr]), warnings: [], stderr };
}
