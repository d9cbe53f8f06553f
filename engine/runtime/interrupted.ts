import type { OperationOutcome } from "../update/operation";
import { pulumi } from "../pulumi/pulumi";

const PENDING = /\bpending operations? from (?:a )?previous deployment/;

/**
 * Clears the pending operations that a killed update left in the state, which make the engine warn on every update.
 * Creating a runtime's resources again has the same result, so a successful update resolves them. The warning is
 * replaced by a note.
 */
export async function clearInterrupted(
  outcome: OperationOutcome,
  stack: string,
  folder: string,
  note: (text: string) => void,
): Promise<OperationOutcome> {
  const warnings = outcome.warnings.filter((warning) => !PENDING.test(warning));
  if (!outcome.ok || warnings.length === outcome.warnings.length) return outcome;
  await pulumi(["refresh", "--stack", stack, "--yes", "--skip-preview", "--clear-pending-creates"], folder);
  note("an earlier update was interrupted; its incomplete operations are resolved");
  return { ...outcome, warnings };
}
