import type { RayClusterConfig } from "../../config/schema";
import { mismatch } from "../../../../foundation/schema/faults";
import { foundAt } from "../../../../foundation/schema/issues";
import type { Resolver } from "../../../../foundation/schema/resolver";
import { rayOperatorSchema, type OperatorSettings } from "./schema";

/** Decodes the settings of the operator, which has defaults if it is not configured. Adds faults to the resolver. */
export function decodeRayOperator(
  input: OperatorSettings | undefined,
  clusters: Readonly<Record<string, RayClusterConfig>>,
  { place, faults }: Resolver,
): OperatorSettings {
  const settings = input ?? rayOperatorSchema.parse({});
  const { watchNamespaces } = settings;
  for (const [name, { mode, namespace }] of Object.entries(clusters)) {
    if (mode !== "kuberay" || watchNamespaces.length === 0 || watchNamespaces.includes(namespace)) continue;
    const path = ["rayOperator", "watchNamespaces"];
    faults.push(
      mismatch(path, foundAt(place, path), `${namespace} among them, because the Ray cluster ${name} is there`),
    );
  }
  return settings;
}
