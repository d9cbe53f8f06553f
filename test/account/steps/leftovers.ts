import { deleteBootstrap } from "../cleanUp";
import type { AccountStep } from "../step";

/** docs/eks-leftovers.md after a destroy; then the bootstrap goes. */
export const leftovers: AccountStep = {
  name: "leftovers",
  does: "`stackyard eks leftovers` finds nothing of both clusters; then the bootstrap is deleted",
  minutes: 4,
  charged: { key: 3 },

  async run(test) {
    const { names, options, commands } = test;
    for (const cluster of [names.cluster, names.imported])
      await commands.stackyard(["eks", "leftovers", "--cluster", cluster, "--region", options.region]);
    await deleteBootstrap(test);
  },
};
