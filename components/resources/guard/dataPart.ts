import type * as pulumi from "@pulumi/pulumi";
import type { DataPart } from "../dataGuard";

/** A part with data in a cluster, and the access to that cluster. */
export const dataPart = (
  { kubeconfig, context }: Pick<DataPart, "kubeconfig" | "context">,
  part: Omit<DataPart, "kubeconfig" | "context">,
): DataPart => ({ kubeconfig, context, ...part });

/** What has a record of its owner: a set or a release of a bundle. */
interface Recorded {
  readonly ownerId: pulumi.Output<string>;
  readonly generation: pulumi.Output<number | undefined>;
}

/** The owner of a part, for the guard of data. */
export const partOwner = ({ ownerId, generation }: Recorded) => ({
  id: ownerId,
  generation: generation.apply((one) => one ?? 0),
});
