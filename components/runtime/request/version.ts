import type { ClusterRequest } from "./cluster/shape";
import type { KymaRequest } from "./kyma/schema";

/** Version of a deployment with a cluster if only its provisioner knows it. */
const BY_DEFAULT = "default";

interface Asked {
  readonly cluster?: ClusterRequest;
  readonly kyma?: KymaRequest;
}

/** Version of a deployment with a cluster, which has no image: that of Kyma, or else that of Kubernetes. */
export const clusterVersion = ({ cluster, kyma }: Asked): string =>
  kyma?.version ?? cluster?.kubernetesVersion ?? BY_DEFAULT;
