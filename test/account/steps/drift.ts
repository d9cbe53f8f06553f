import { Failure } from "../../../foundation/errors";
import type { AccountStep } from "../step";

/** What drift.yaml does every night, before and after a node group is scaled by hand. */
export const drift: AccountStep = {
  name: "drift",
  does: "no drift; a node group is scaled by hand; that drift is found and reverted",
  minutes: 8,
  charged: { key: 2, cluster: 1, natGateway: 1, publicAddress: 1, node: 2, smallNode: 1, disk: 3 },

  async run({ names, account, commands }) {
    const { stack, cluster } = names;
    const revert = () =>
      commands.pulumi(["up", "--refresh", "--stack", stack, "--yes", "--skip-preview"], { as: "deploy" });
    const groupOf = async (prefix: string) =>
      (await account.nodeGroups(cluster)).find(({ nodegroupName }) => nodegroupName?.startsWith(prefix)) ?? {};
    const { nodegroupName = "", scalingConfig: { maxSize = 0 } = {} } = await groupOf(`${cluster}-general`);
    await commands.stackyard(["drift", stack], { as: "preview" });
    await account.setMaximum(cluster, nodegroupName, maxSize + 2);
    try {
      const failsWith = /: 1 to update to remove the drift.*update \S+ \(aws:eks\/nodeGroup:NodeGroup\): scalingConfig/;
      await commands.stackyard(["drift", stack], { as: "preview", failsWith });
    } finally {
      await revert();
    }
    await commands.stackyard(["drift", stack], { as: "preview" });
    const after = await groupOf(nodegroupName);
    if (after.scalingConfig?.maxSize !== maxSize)
      throw new Failure(`the node group has a maximum of ${after.scalingConfig?.maxSize}; expected ${maxSize} again`);
  },
};
