import * as pulumi from "@pulumi/pulumi";
import type { ImportedResource } from "../cluster/onEks/eksImports";

/**
 * Imports the resources of a cluster that existed before its stack. The engine imports what is not in the state, and
 * shows how the config differs from it as an update. `cluster`: name of the cluster's component.
 */
export function importing(cluster: string, imports: readonly ImportedResource[]): pulumi.ResourceTransformation {
  const known = new Map(imports.map((one) => [`${one.type} ${cluster}-${one.name}`, one]));
  return ({ type, name, props, opts }) => {
    const one = known.get(`${type} ${name}`);
    if (one === undefined) return undefined;
    const { id, keep, retain } = one;
    const more: pulumi.CustomResourceOptions = {
      import: id,
      ignoreChanges: [...keep],
      ...(retain && { retainOnDelete: true }),
    };
    return { props, opts: pulumi.mergeOptions(opts, more) };
  };
}
