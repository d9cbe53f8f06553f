import { setNameOf } from "../../../foundation/pulumi/setName";
import { type SetInputs, setResourceId } from "../../../kubernetes/apply/set";
import type { ResourceState } from "./checkpoint";
import { textAt } from "../../../kubernetes/objects/objects";

/** References of a resource to others. */
interface Refers {
  readonly parent?: string;
  /** `<urn>::<id>`. */
  readonly provider?: string;
  readonly dependencies?: readonly string[];
  readonly propertyDependencies?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Combines resources of the state with interrupted ones, and fixes references of the latter. A manual `pulumi destroy`
 * deletes everything except what is pending, and the engine rejects a state with dangling references. So a missing
 * provider is added; other dangling references are dropped, and the next update writes them again.
 */
function rooted(kept: readonly ResourceState[], begun: readonly (ResourceState & Refers)[]): ResourceState[] {
  const known = new Set([...kept, ...begun].map(({ urn }) => urn));
  const providers = new Map(kept.map((one) => [`${one.urn}::${one.id ?? ""}`, one]));
  const added: ResourceState[] = [];
  const whole = begun.map(({ parent, dependencies, propertyDependencies, ...resource }) => {
    const { provider } = resource;
    if (provider !== undefined && !providers.has(provider)) {
      const made = providerOf(provider);
      providers.set(provider, made);
      added.push(made);
    }
    const there = (urns: readonly string[]): string[] => urns.filter((urn) => known.has(urn));
    const entries = Object.entries(propertyDependencies ?? {}).map(([key, urns]) => [key, there(urns)]);
    return {
      ...resource,
      ...(parent !== undefined && known.has(parent) && { parent }),
      ...(dependencies && { dependencies: there(dependencies) }),
      ...(propertyDependencies && { propertyDependencies: Object.fromEntries(entries) as object }),
    };
  });
  return [...kept, ...added, ...whole];
}

/** A default provider. Its inputs are the config of the plugin, which is empty for the project's own. */
function providerOf(reference: string): ResourceState {
  const end = reference.lastIndexOf("::");
  const urn = reference.slice(0, end);
  const type = urn.split("::").at(-2)?.split("$").at(-1) ?? "";
  return { urn, custom: true, id: reference.slice(end + 2), type, inputs: {}, outputs: {} };
}

/** The parts of an exported state that are used. The rest is returned unchanged. */
export interface ExportedState {
  readonly [key: string]: unknown;
  readonly resources?: readonly ResourceState[];
  readonly pending_operations?: readonly { readonly type: string; readonly resource: ResourceState }[];
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
const interrupted = (resource: ResourceState): ResourceState => ({
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
