import type { AccountStep } from "../step";
import { nextMinor, setVersion, updateTo } from "../versions";

/** "Back to the minor before" of docs/eks-operations.md. */
export const rollback: AccountStep = {
  name: "rollback",
  does: "back to the minor before, within its window: nodes in one update, control plane in the next",
  minutes: 35,
  charged: { key: 2, cluster: 1, natGateway: 1, publicAddress: 1, node: 3, smallNode: 1, disk: 4 },

  async run(test) {
    const { kubernetesVersion: to } = test.options;
    await setVersion(test, to);
    const groups = await test.account.nodeGroups(test.names.cluster);
    if (groups.some(({ version }) => version !== to)) await updateTo(test, nextMinor(to), to);
    await updateTo(test, to, to);
  },
};
