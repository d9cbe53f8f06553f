/** BundleRelease: the content of a bundle, applied, awaited, updated, pruned and deleted as one. */

import { contained } from "../../framework/contained";
import { isOffered } from "../../../kubernetes/owners/offered";
import { renamed } from "../../framework/renamed";
import { isReplacement } from "../../../foundation/pulumi/resource";
import type { Context, Difference, ResourceHandler } from "../../../foundation/pulumi/resource";
import { newOwnerId, ownerIdOf } from "../../../kubernetes/identity/ownerId";
import { isAccessChanged, isAccessOnly } from "../../../kubernetes/identity/clusterAccess";
import { checkRelease } from "./check";
import { diffRelease } from "./diff";
import type { Earlier } from "./earlier";
import { withSecretsMasked } from "./hidden";
import { releaseId, type ReleaseInputs, type ReleaseState } from "./inputs";
import { releaseClaimant, notePredecessor } from "./ownership/claimant";
import { secretsOf } from "../../framework/resourceSchema";
import { schema } from "./bundleReleaseSchema";

// The code that connects to clusters is loaded on demand: most updates only compute a diff.
const work = {
  move: () => import("./ownership/move.js"),
  apply: () => import("./applyRelease.js"),
  rollback: () => import("./rollback.js"),
  preview: () => import("./preview.js"),
  read: () => import("./read.js"),
  destroy: () => import("./destroy.js"),
  replacement: () => import("./replacement.js"),
};

const release: ResourceHandler<ReleaseInputs, ReleaseState> = {
  secretProperties: secretsOf(schema),

  check(context, given, origin) {
    const old: Partial<ReleaseInputs> = origin?.old ?? {};
    const { namespace, name } = old;
    if (name !== undefined) notePredecessor(context, { place: `${namespace}/${name}` });
    return checkRelease(given, context, old);
  },

  async diff(context, id, old, inputs) {
    const { namespace, name } = old.inputs;
    const claimant = releaseClaimant(context, ownerIdOf(context.urn, id, old.state), old.state);
    notePredecessor(context, { place: `${namespace}/${name}`, claimant });
    const difference = await differenceOf(context, id, old, inputs);
    if (old.inputs.protectData && isReplacement(difference)) {
      await (await work.replacement()).guardReplacement(context, old);
    }
    return isOffered(context)
      ? { ...difference, changes: { ...difference.changes, ownerId: "update" as const } }
      : difference;
  },

  async create(context, inputs) {
    const state = await withSecretsMasked(context, [inputs], async (own) =>
      context.preview
        ? (await work.preview()).previewRelease(own, inputs, undefined)
        : (await work.apply()).applyRelease(own, inputs, newOwnerId()),
    );
    return { id: releaseId(inputs), state };
  },

  async read(context, id, old) {
    const { readRelease } = await work.read();
    return withSecretsMasked(context, [old.inputs, old.state], (own) => readRelease(own, id, old));
  },

  async update(context, id, old, inputs) {
    const ownerId = ownerIdOf(context.urn, id, old.state);
    if (!context.preview && isAccessChanged(old.inputs, inputs)) {
      const { requireSameCluster, movedRelease } = await work.move();
      await requireSameCluster(context, movedRelease(old, inputs, ownerId));
    }
    const { clusterUid, inventory, fingerprints, generation, interrupted } = old.state;
    const isWritten = clusterUid !== undefined && interrupted === undefined && !isOffered(context);
    if (isWritten && isAccessOnly(diffRelease(old, inputs).changes)) {
      return { ...inputs, inventory, fingerprints, ownerId, clusterUid, ...(generation && { generation }) };
    }
    return withSecretsMasked(context, [inputs, old.inputs, old.state], async (own) =>
      context.preview
        ? (await work.preview()).previewRelease(own, inputs, ownerId, old)
        : (await work.rollback()).applyOrRollBack(own, inputs, ownerId, old),
    );
  },

  async delete(context, id, old) {
    const { destroyRelease } = await work.destroy();
    await destroyRelease(context, old, ownerIdOf(context.urn, id, old.state));
  },
};

/** With `outcome`, a failed release does not stop other resources. */
export const bundleRelease = contained(renamed(release, "ground", "providedBy"), {
  idOf: releaseId,
  nothing: (inputs) => ({ ...inputs, digest: "", inventory: [], fingerprints: [], incomplete: {} }),
});

async function differenceOf(context: Context, id: string, old: Earlier, inputs: ReleaseInputs): Promise<Difference> {
  const difference = diffRelease(old, inputs);
  if (Object.keys(difference.changes).length === 0 || !isAccessChanged(old.inputs, inputs)) return difference;
  const { expectedCluster, movedRelease } = await work.move();
  const verdict = await expectedCluster(context, movedRelease(old, inputs, ownerIdOf(context.urn, id, old.state)));
  return diffRelease(old, inputs, verdict);
}
