import type { DataPart } from "../dataGuard";

/** A part with data in a cluster, and the access to that cluster. */
export const dataPart = (
  { kubeconfig, context }: Pick<DataPart, "kubeconfig" | "context">,
  part: Omit<DataPart, "kubeconfig" | "context">,
): DataPart => ({ kubeconfig, context, ...part });
