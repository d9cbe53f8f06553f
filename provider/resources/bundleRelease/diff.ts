/** What changed between two versions of a release's inputs. Pure: the digest says whether the content is another. */

import { changesBetween } from "../../framework/changes";
import type { Difference } from "../../../foundation/pulumi/resource";
import { parseInventoryKey } from "../../../kubernetes/client/objects";
import { isWayOnly, replacing, type Verdict } from "../../../kubernetes/identity/way";
import { appliedInputs } from "./earlier";
import type { Earlier } from "./earlier";
import type { ReleaseInputs } from "./inputs";

/** It would be another release, at another place. */
const REPLACES = ["name", "namespace"];

/**
 * By themselves nothing to do: how long one is ready to wait, who must agree, by what the same content is had, what
 * becomes of another one that fails, what is protected, and what others take over. Tokens of registries are others each day, and a
 * folder is elsewhere on every machine.
 */
const SILENT = new Set([
  ...[
    "timeoutSeconds",
    "approval",
    "awaitApproval",
    "sources",
    "credentials",
    "sourceDigests",
    "rollback",
    "providedBy",
  ],
  ...["protectData", "takers", "createNamespace"],
]);

/** `verdict`: on whether the cluster is the same, where the way there has changed. */
export function diffRelease(earlier: Earlier, inputs: ReleaseInputs, verdict: Verdict = "same"): Difference {
  const old = appliedInputs(earlier);
  const { incomplete } = earlier.state;
  const found = changesBetween({ ...loud(old), ...(incomplete && { incomplete: true }) }, loud(inputs), REPLACES);
  const changes = verdict === "other" ? replacing(found) : found;
  // What the same content is had by is not shown beside what has nothing to do with it.
  if (Object.keys(changes).length === 0 || isWayOnly(changes)) return { changes };
  // When there is something to do, what is done it with is shown too.
  const { sources: before } = old;
  const all = { ...changes, ...changesBetween({ sources: before }, { sources: inputs.sources }) };
  return { changes: all, deleteBeforeReplace: verdict !== "other" && isInTheWay(earlier, inputs) };
}

/** Whether objects of the old release are where the new one wants to have them: one that is renamed, or moved in part. */
function isInTheWay({ inputs: old, state }: Earlier, inputs: ReleaseInputs): boolean {
  if (old.namespace === inputs.namespace) return old.name !== inputs.name;
  return (state.inventory ?? []).some((key) => parseInventoryKey(key).namespace !== old.namespace);
}

const loud = (inputs: ReleaseInputs): object =>
  Object.fromEntries(Object.entries(inputs).filter(([key]) => !SILENT.has(key)));
