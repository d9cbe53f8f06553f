import { Failure } from "../../../foundation/errors";
import { deleteGuarded, destroyPlatforms, GUARDED } from "../cleanUp";
import { change } from "../platform";
import type { AccountStep } from "../step";

const SERVICE = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: GUARDED, namespace: "default" },
  spec: { type: "LoadBalancer", selector: { app: GUARDED }, ports: [{ port: 80 }] },
};

/** "Destroy" of docs/eks-operations.md. What protects a platform must refuse it first. */
export const destroy: AccountStep = {
  name: "destroy",
  does: "refused by the protection, then by the load balancer of a Service; then both platforms are destroyed",
  minutes: 35,
  charged: { key: 3, cluster: 2, natGateway: 1, publicAddress: 2, node: 3, smallNode: 2, disk: 5, loadBalancer: 1 },

  async run(test) {
    const { names, record, account, commands } = test;
    const { stack, cluster } = names;
    const destroyIt = ["destroy", "--stack", stack, "--yes", "--skip-preview"];
    const remains = async (): Promise<void> => {
      if ((await account.clusterVersion(cluster)) === undefined) throw new Failure(`${cluster} was deleted`);
    };
    if (record.isCreated(`platform ${stack}`) && !record.has("unprotected")) {
      await commands.pulumi(destroyIt, { as: "deploy", failsWith: /protect/ });
      await remains();
      await change(test, stack, { deletionProtection: false });
      await commands.pulumi(["up", "--stack", stack, "--yes", "--skip-preview"], { as: "deploy" });
      record.creates(`service ${GUARDED}`, `kubectl -n default delete service ${GUARDED}`);
      await commands.kubectl(["apply", "-f", "-"], { input: JSON.stringify(SERVICE) });
      await commands.pulumi(destroyIt, { as: "deploy", failsWith: new RegExp(GUARDED) });
      await remains();
      record.set({ unprotected: stack });
    }
    await deleteGuarded(test);
    await destroyPlatforms(test);
  },
};
