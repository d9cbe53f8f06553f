import type { AccountStep } from "../step";
import { nextMinor, setVersion, updateTo } from "../versions";

/** "A new Kubernetes minor" of docs/eks-operations.md. */
export const upgrade: AccountStep = {
  name: "upgrade",
  does: "the next Kubernetes minor: control plane in one update, nodes in the next",
  minutes: 35,
  charged: { key: 2, cluster: 1, natGateway: 1, publicAddress: 1, node: 3, smallNode: 1, disk: 4 },

  async run(test) {
    const { kubernetesVersion: from } = test.options;
    const to = nextMinor(from);
    await setVersion(test, to);
    if ((await test.account.clusterVersion(test.names.cluster)) === from) await updateTo(test, to, from);
    await updateTo(test, to, to);
  },
};
