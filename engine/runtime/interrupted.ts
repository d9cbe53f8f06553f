import type { Outcome } from "../update/operation";
import { pulumi } from "../pulumi/pulumi";

const PENDING = /\bpending operations? from (?:a )?previous deployment/;

/**
 * An update that was killed leaves a remark in the state that it was making something; the engine then warns with every
 * update. What a runtime consists of is made the same when it is made again, so a successful update has settled it:
 * the remarks are cleared, and the warning is replaced by a note.
 */
export async function clearInterrupted(
  outcome: Outcome,
  stack: string,
  folder: string,
  note: (text: string) => void,
): Promise<Outcome> {
  const warnings = outcome.warnings.filter((warning) => !PENDING.test(warning));
  if (!outcome.ok || warnings.length === outcome.warnings.length) return outcome;
  await pulumi(["refresh", "--stack", stack, "--yes", "--skip-preview", "--clear-pending-creates"], folder);
  note("an earlier update was interrupted; its incomplete operations are resolved");
  return { ...outcome, warnings };
}
