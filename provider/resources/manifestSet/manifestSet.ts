/** ManifestSet: a list of Kubernetes objects, applied, awaited, updated and deleted as one. */

import { contained } from "../../framework/contained";
import { renamed } from "../../framework/renamed";
import { isOffered } from "../../../kubernetes/owners/offered";
import { noteInstance } from "../../framework/replaced";
import { hasUnknown, isReplacement } from "../../../foundation/pulumi/resource";
import type { ChangeKind, Context, Difference, Properties, ResourceHandler } from "../../../foundation/pulumi/resource";
import { newOwnerId, ownerIdOf, withInstance } from "../../../kubernetes/identity/ownerId";
import { isAccessChanged, replacing } from "../../../kubernetes/identity/clusterAccess";
import type { Earlier } from "./applySet";
import { checkSet } from "./check";
import { diffSet, isStateOnly } from "./diff";
import { setResourceId, type SetInputs, type SetState } from "../../../kubernetes/apply/set";
import { secretsOf } from "../../framework/resourceSchema";
import { schema } from "./manifestSetSchema";

// The code that connects to clusters is loaded on demand: most updates only compute a diff.
const work = {
  move: () => import("./move.js"),
  apply: () => import("./applySet.js"),
  look: () => import("./look.js"),
  read: () => import("./read.js"),
  destroy: () => import("./destroy.js"),
  takeOver: () => import("./takeOver.js"),
  guard: () => import("../../../kubernetes/remove/guardSet.js"),
};

const set: ResourceHandler<SetInputs, SetState> = {
  secretProperties: secretsOf(schema),

  check(context, given, origin) {
    const { old = {} } = origin ?? {};
    if (Object.keys(old).length > 0) noteInstance(context, instanceIn(context.urn, old));
    return Promise.resolve(withInstance(checkSet(given), origin));
  },

  async diff(context, id, old, inputs) {
    const difference = await differenceOf(context, id, old, inputs);
    if (old.inputs.protectData && isReplacement(difference)) {
      const { guardReplacement } = await work.guard();
      await guardReplacement(context, old, ownerIdOf(context.urn, id, old.state), inputs);
    }
    return isRuntime(old) && Object.keys(difference.changes).length === 0
      ? { changes: await look(context, id, old) }
      : difference;
  },

  async create(context, inputs) {
    if (inputs.adopt !== undefined && !hasUnknown(inputs)) {
      const { takeOver } = await work.takeOver();
      return { id: setResourceId(inputs), state: await takeOver(context, inputs, inputs.adopt) };
    }
    const { applySet, previewSet } = await work.apply();
    if (context.preview) return { id: "", state: await previewSet(context, inputs, undefined) };
    return { id: setResourceId(inputs), state: await applySet(context, inputs, inputs.instance ?? newOwnerId()) };
  },

  async read(context, id, old) {
    return (await work.read()).readSet(context, id, old, ownerIdOf(context.urn, id, old.state));
  },

  async update(context, id, old, inputs) {
    const ownerId = ownerIdOf(context.urn, id, old.state);
    if (!context.preview && isAccessChanged(old.inputs, inputs)) {
      const { requireSameCluster, movedSet } = await work.move();
      await requireSameCluster(context, movedSet(old, inputs, ownerId));
    }
    const { clusterUid, inventory, storageBytes, incomplete, interrupted, generation, claims } = old.state;
    const isWritten =
      clusterUid !== undefined && incomplete === undefined && interrupted === undefined && !isOffered(context);
    const { changes } = diffSet(old.inputs, inputs, old.state.withheld);
    const isAsApplied = async () => !isRuntime(old) || Object.keys(await look(context, id, old)).length === 0;
    if (isWritten && isStateOnly(changes) && (await isAsApplied())) {
      return {
        ...inputs,
        inventory,
        storageBytes,
        ownerId,
        clusterUid,
        ...(generation !== undefined && { generation }),
        ...(claims && { claims }),
      };
    }
    const { applySet, previewSet } = await work.apply();
    return (context.preview ? previewSet : applySet)(context, inputs, ownerId, old);
  },

  async delete(context, id, old) {
    const { destroySet } = await work.destroy();
    await destroySet(context, old, ownerIdOf(context.urn, id, old.state));
  },
};

/** With `outcome`, a failed set does not stop other resources. */
export const manifestSet = contained(renamed(set, "set", "name"), {
  idOf: setResourceId,
  nothing: (inputs): SetState => ({ ...inputs, inventory: [], storageBytes: null, incomplete: true }),
});

/** Sets of deployments, which have a request. Other sets are compared with their cluster by a refresh. */
const isRuntime = ({ inputs }: { readonly inputs: SetInputs }): boolean => inputs.record !== undefined;

async function look(context: Context, id: string, old: Earlier): Promise<Difference["changes"]> {
  return (await work.look()).liveChanges(context, old, ownerIdOf(context.urn, id, old.state));
}

/** The id of the instance with these inputs, which was or would have been given to its objects. */
const instanceIn = (urn: string, old: Properties): string =>
  ownerIdOf(urn, setResourceId(old as unknown as SetInputs), { ownerId: old["instance"] as string | undefined });

async function differenceOf(
  context: Context,
  id: string,
  old: { readonly inputs: SetInputs; readonly state: SetState },
  inputs: SetInputs,
): Promise<Difference> {
  const found = diffSet(old.inputs, inputs, old.state.withheld);
  const isTaken = old.state.foreign === true || isOffered(context);
  const changes: Difference["changes"] = { ...found.changes, ...(isTaken && { ownerId: "update" }) };
  refuseMove(old.inputs, inputs, changes);
  if (Object.keys(changes).length === 0 || !isAccessChanged(old.inputs, inputs)) return { changes };
  const { expectedCluster, movedSet } = await work.move();
  const verdict = await expectedCluster(context, movedSet(old, inputs, ownerIdOf(context.urn, id, old.state)));
  if (verdict !== "other") return { changes };
  refuseMove(old.inputs, inputs, replacing(changes));
  return { changes: replacing(changes) };
}

/** Rejects a change that would replace a set that must not move. */
function refuseMove(old: SetInputs, inputs: SetInputs, changes: Readonly<Record<string, ChangeKind>>): void {
  if (inputs.allowMove !== false) return;
  const moves = Object.entries(changes).some(([, kind]) => kind.endsWith("-replace"));
  if (!moves) return;
  throw new Error(
    `set ${old.namespace}/${old.name} is in cluster ${old.cluster}; found ${inputs.namespace}/${inputs.name} in cluster ` +
      `${inputs.cluster} wanted, which is another place. Its data would not be copied, so it moves only when that is ` +
      "allowed (a runtime: stackyard runtime up ID --move; by hand: pulumi config set move PROVISIONER)",
  );
}
