import { setNameOf } from "../../foundation/pulumi/setName";
import type { SetInputs } from "../../kubernetes/apply/set";
import { idOf } from "../../kubernetes/apply/set";
import { textAt } from "../../kubernetes/client/objects";
import type { ExportedResource } from "./exported";
import { rooted } from "./references";

/** As much of an exported state as is looked at; all else is handed back as it was. */
export interface ExportedState {
  readonly [key: string]: unknown;
  readonly resources?: readonly ExportedResource[];
  readonly pending_operations?: readonly { readonly type: string; readonly resource: ExportedResource }[];
}

/** Ids of what exists outside of the state, by what they were to be made from. */
const IDS: Readonly<Record<string, (inputs: Readonly<Record<string, unknown>>) => string | undefined>> = {
  "stackyard:index:SlotAllocation": ({ pool, deployment }) => `${String(pool)}/${String(deployment)}`,
  "stackyard:index:Shoot": ({ shoot }) =>
    `${textAt(shoot, "metadata", "namespace")}/${textAt(shoot, "metadata", "name")}`,
  // The Director gives the id, so the provider looks for the registration by its instance.
  "stackyard:index:DirectorRuntime": ({ instance }) =>
    typeof instance === "string" ? `instance/${instance}` : undefined,
  "stackyard:index:ClickHouseDatabase": ({ database }) => String(database),
  "stackyard:index:ManifestSet": (inputs) => idOf({ ...inputs, name: setNameOf(inputs) } as unknown as SetInputs),
};

/** Makes the next update do its work again, even where the inputs are the same. */
const INTERRUPTED = "the update that worked on it was interrupted";

/**
 * A state without pending operations. What an update was making when it was killed may be there or not, in part or as a
 * whole, and the engine would forget it. It becomes a resource with the inputs that the update had: the next update goes
 * on from there, and a deletion removes what exists. What was being changed is changed again by the next update.
 */
export function withoutPending(state: ExportedState): ExportedState {
  const { resources = [], pending_operations: pending = [] } = state;
  const changing = new Set(pending.flatMap(({ type, resource }) => (type === "updating" ? [resource.urn] : [])));
  const kept = resources.map((resource) =>
    changing.has(resource.urn) && resource.delete !== true ? { ...resource, initErrors: [INTERRUPTED] } : resource,
  );
  const begun = pending.flatMap(({ type, resource }) => {
    const id = type === "creating" ? IDS[resource.type]?.(resource.inputs ?? {}) : undefined;
    if (id === undefined) return []; // It is in the state or nowhere.
    const { inputs = {} } = resource;
    const { instance } = inputs;
    const outputs = { ...inputs, ...(instance === undefined ? {} : { ownerId: instance }) };
    // One of the same name that it was to replace is still there.
    const replaced = kept.some(({ urn, delete: going }) => urn === resource.urn && going !== true);
    return [{ ...resource, id, outputs, initErrors: [INTERRUPTED], ...(replaced ? { delete: true } : {}) }];
  });
  return { ...state, resources: rooted(kept, begun), pending_operations: undefined };
}
