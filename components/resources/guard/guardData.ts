import type * as pulumi from "@pulumi/pulumi";
import { DataGuard, type DataPart } from "../dataGuard";

/** A part with data in a cluster, and the access to that cluster. */
export const dataPart = (
  { kubeconfig, context }: Pick<DataPart, "kubeconfig" | "context">,
  part: Omit<DataPart, "kubeconfig" | "context">,
): DataPart => ({ kubeconfig, context, ...part });

/** A component that may contain data. */
interface Stateful extends pulumi.ComponentResource {
  readonly dataParts: readonly DataPart[];
}

/**
 * Guards the existing components. The guard is always created, because it also checks components that were removed.
 * `guarded`: what a refused destroy must not have deleted, with or without data; the guard is deleted before it.
 */
export function guardData(
  name: string,
  access: Pick<DataPart, "kubeconfig" | "context"> | undefined,
  components: readonly (Stateful | false | undefined)[],
  guarded: readonly pulumi.Resource[],
): DataGuard {
  const existing = components.filter((each) => each !== undefined && each !== false);
  const { kubeconfig, context } = access ?? {};
  const parts = existing.flatMap(({ dataParts }) => dataParts);
  return new DataGuard(name, { kubeconfig, context, parts }, { dependsOn: [...existing, ...guarded] });
}
