import type { ExportedResource } from "./exported";

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
export function rooted(
  kept: readonly ExportedResource[],
  begun: readonly (ExportedResource & Refers)[],
): ExportedResource[] {
  const known = new Set([...kept, ...begun].map(({ urn }) => urn));
  const providers = new Map(kept.map((one) => [`${one.urn}::${one.id ?? ""}`, one]));
  const added: ExportedResource[] = [];
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
function providerOf(reference: string): ExportedResource {
  const end = reference.lastIndexOf("::");
  const urn = reference.slice(0, end);
  const type = urn.split("::").at(-2)?.split("$").at(-1) ?? "";
  return { urn, custom: true, id: reference.slice(end + 2), type, inputs: {}, outputs: {} };
}
