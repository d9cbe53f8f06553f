/** Compares two versions of a release's inputs. Pure: the digest shows whether the content changed. */

import { changesBetween } from "../../../foundation/pulumi/changes";
import type { Difference } from "../../../foundation/pulumi/resource";
import { parseInventoryKey } from "../../../kubernetes/objects/objects";
import { isAccessOnly, replacing, type ClusterVerdict } from "../../../kubernetes/identity/clusterAccess";
import { appliedInputs, type Earlier } from "./earlier";
import type { ReleaseInputs } from "./inputs";

/** A change of these makes it a different release, so it is replaced. */
const REPLACES = ["name", "namespace"];

/**
 * Inputs whose change alone needs no update: time limits, approvals, where the content comes from, what happens after a
 * failure, protection, what other releases take over, and reconciliation. Registry tokens change daily, and folders differ between
 * machines.
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
  ...["protectData", "takers", "createNamespace", "retained", "reconcileSeconds"],
]);

/** `verdict`: whether the cluster is the same, if the connection to it changed. */
export function diffRelease(earlier: Earlier, inputs: ReleaseInputs, verdict: ClusterVerdict = "same"): Difference {
  const old = appliedInputs(earlier);
  const { incomplete } = earlier.state;
  const found = changesBetween(
    { ...withoutSilent(old), ...(incomplete && { incomplete: true }) },
    withoutSilent(inputs),
    REPLACES,
  );
  const changes = verdict === "other" ? replacing(found) : found;
  // A change of the sources alone is not shown.
  if (Object.keys(changes).length === 0 || isAccessOnly(changes)) return { changes };
  // If there is anything to update, changed sources are shown too.
  const { sources: before } = old;
  const all = { ...changes, ...changesBetween({ sources: before }, { sources: inputs.sources }) };
  return { changes: all, deleteBeforeReplace: verdict !== "other" && isInTheWay(earlier, inputs) };
}

/** Whether the new release uses the places of the old one's objects, because it is renamed or moved in part. */
function isInTheWay({ inputs: old, state }: Earlier, inputs: ReleaseInputs): boolean {
  if (old.namespace === inputs.namespace) return old.name !== inputs.name;
  return (state.inventory ?? []).some((key) => parseInventoryKey(key).namespace !== old.namespace);
}

const withoutSilent = (inputs: ReleaseInputs): object =>
  Object.fromEntries(Object.entries(inputs).filter(([key]) => !SILENT.has(key)));
