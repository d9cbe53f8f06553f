import { setNameOf } from "../../../foundation/pulumi/setName";
import type { SetInputs } from "../../../kubernetes/apply/set";
import { setResourceId } from "../../../kubernetes/apply/set";
import { textAt } from "../../../kubernetes/objects/objects";
import type { ExportedResource } from "./exported";
import { rooted } from "./references";

/** The parts of an exported state that are used. The rest is returned unchanged. */
export interface ExportedState {
  readonly [key: string]: unknown;
  readonly resources?: readonly ExportedResource[];
  readonly pending_operations?: readonly { readonly type: string; readonly resource: ExportedResource }[];
}

/** Ids of resources by their inputs, for resources whose creation was interrupted. */
const IDS: Readonly<Record<string, (inputs: Readonly<Record<string, unknown>>) => string | undefined>> = {
  "stackyard:index:SlotAllocation": ({ pool, deployment }) => `${String(pool)}/${String(deployment)}`,
  "stackyard:index:Shoot": ({ shoot }) =>
    `${textAt(shoot, "metadata", "namespace")}/${textAt(shoot, "metadata", "name")}`,
  // The Director assigns the id, so the provider looks up the registration by its instance.
  "stackyard:index:DirectorRuntime": ({ instance }) =>
    typeof instance === "string" ? `instance/${instance}` : undefined,
  "stackyard:index:ClickHouseDatabase": ({ database }) => String(database),
  "stackyard:index:ManifestSet": (inputs) =>
    setResourceId({ ...inputs, name: setNameOf(inputs) } as unknown as SetInputs),
};

/** Stored as an init error, which makes the next update run again even if the inputs are unchanged. */
const INTERRUPTED = "the update that worked on it was interrupted";

/** The provider reads `interrupted`: the state may lack the result of the update, so it is not a stale one. */
const interrupted = (resource: ExportedResource): ExportedResource => ({
  ...resource,
  initErrors: [INTERRUPTED],
  ...(resource.type.startsWith("stackyard:index:") && { outputs: { ...resource.outputs, interrupted: true } }),
});

/**
 * Returns the state without pending operations. A resource that a killed update was creating may exist completely,
 * partly or not at all, and the engine would forget it. It is added to the state with the inputs of that update: the
 * next update continues from there, and a deletion removes what exists. Resources that were being changed are updated
 * again; their state says that it may lack the result of the interrupted update, which decides about their owner.
 */
export function withoutPending(state: ExportedState): ExportedState {
  const { resources = [], pending_operations: pending = [] } = state;
  const changing = new Set(pending.flatMap(({ type, resource }) => (type === "updating" ? [resource.urn] : [])));
  const kept = resources.map((resource) =>
    changing.has(resource.urn) && resource.delete !== true ? interrupted(resource) : resource,
  );
  const begun = pending.flatMap(({ type, resource }) => {
    const id = type === "creating" ? IDS[resource.type]?.(resource.inputs ?? {}) : undefined;
    if (id === undefined) return []; // The resource is either in the state or was never created.
    const { inputs = {} } = resource;
    const { instance } = inputs;
    const outputs = { ...inputs, ...(instance === undefined ? {} : { ownerId: instance }) };
    // If the state still has a resource with the same URN, the new one was its replacement.
    const replaced = kept.some(({ urn, delete: going }) => urn === resource.urn && going !== true);
    return [{ ...interrupted({ ...resource, outputs }), id, ...(replaced ? { delete: true } : {}) }];
  });
  return { ...state, resources: rooted(kept, begun), pending_operations: undefined };
}
