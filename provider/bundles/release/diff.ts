/** What changed between two versions of a release's inputs. Asks nobody: the digest says whether the content is another. */

import { changesBetween } from "../../framework/changes";
import type { Difference } from "../../framework/resource";
import { parseInventoryKey } from "../../kubernetes/objects";
import { appliedInputs } from "./earlier";
import type { Earlier } from "./earlier";
import type { ReleaseInputs } from "./inputs";

/** It would be another release, at another place. */
const REPLACES = ["cluster", "name", "namespace"];

/**
 * By themselves nothing to do: how long one is ready to wait, who has to agree, by what the same content is had, and what
 * becomes of another one that fails. Tokens of registries are others each day, and a folder is elsewhere on every machine.
 */
const SILENT = new Set([
  ...["timeoutSeconds", "approval", "awaitApproval", "sources", "credentials", "sourceDigests", "rollback", "ground"],
]);

export function diffRelease(earlier: Earlier, inputs: ReleaseInputs): Difference {
  const old = appliedInputs(earlier);
  const { incomplete } = earlier.state;
  const changes = changesBetween({ ...loud(old), ...(incomplete && { incomplete: true }) }, loud(inputs), REPLACES);
  if (Object.keys(changes).length === 0) return { changes };
  // When there is something to do, what is done it with is shown too.
  const { sources: before } = old;
  const all = { ...changes, ...changesBetween({ sources: before }, { sources: inputs.sources }) };
  return { changes: all, deleteBeforeReplace: isInTheWay(earlier, inputs) };
}

/** Whether objects of the old release are where the new one wants to have them: one that is renamed, or moved in part. */
function isInTheWay({ inputs: old, state }: Earlier, inputs: ReleaseInputs): boolean {
  if (old.cluster !== inputs.cluster) return false;
  if (old.namespace === inputs.namespace) return old.name !== inputs.name;
  return (state.inventory ?? []).some((key) => parseInventoryKey(key).namespace !== old.namespace);
}

const loud = (inputs: ReleaseInputs): object =>
  Object.fromEntries(Object.entries(inputs).filter(([key]) => !SILENT.has(key)));
