import type * as pulumi from "@pulumi/pulumi";
import { DataGuard, type DataPart } from "../dataGuard";

/** A part in a cluster that is reached as a `ManifestSet` reaches it. */
export const dataPart = (
  { kubeconfig, context }: Pick<DataPart, "kubeconfig" | "context">,
  part: Omit<DataPart, "kubeconfig" | "context">,
): DataPart => ({ kubeconfig, context, ...part });

/** A component that may hold data. */
interface Stateful extends pulumi.ComponentResource {
  readonly dataParts: readonly DataPart[];
}

/** Guards the components that there are. There is a guard in any case: it looks at those that are not there any more. */
export function guardData(
  name: string,
  access: Pick<DataPart, "kubeconfig" | "context"> | undefined,
  components: readonly (Stateful | false | undefined)[],
): DataGuard {
  const dependsOn = components.filter((each) => each !== undefined && each !== false);
  const { kubeconfig, context } = access ?? {};
  const parts = dependsOn.flatMap(({ dataParts }) => dataParts);
  return new DataGuard(name, { kubeconfig, context, parts }, { dependsOn });
}
