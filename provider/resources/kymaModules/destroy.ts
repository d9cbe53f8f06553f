/** Removes the modules of a cluster by Lifecycle Manager, before the cluster is deleted. */

import type { Context } from "../../../foundation/pulumi/resource";
import { connect } from "../../../kubernetes/connect/connect";
import { describe } from "../../../kubernetes/objects/objects";
import { openWork, until } from "../../../kubernetes/work/work";
import { foreignPart } from "../../framework/foreignPart";
import { untilAwake } from "../kymaInstallation/awake";
import { revokeAccess } from "./access";
import type { ModulesInputs, ModulesState } from "./inputs";
import { kymaRef, secretRef } from "./objects";
import { foreign, ifServed, planeClient, planeUid, readPlane } from "./plane";
import { leftIn } from "./progress";

export async function removeModules(context: Context, inputs: ModulesInputs, state: ModulesState): Promise<void> {
  const ref = kymaRef(inputs.name);
  const work = openWork(context, describe(ref), inputs, inputs.timeoutSeconds);
  const other = foreignPart(context);
  if (other !== undefined) return work.log("warning", `Kyma is left alone: ${other}`);
  await planeUid(context, inputs, state);
  const plane = planeClient(context, inputs);
  const { kyma, secret } = await readPlane(plane, inputs);
  const others = [kyma, secret].flatMap((live) => foreign(live, inputs.shootUid) ?? []);
  for (const found of others) work.log("warning", `${found}; it is left alone`);
  // Lifecycle Manager reaches the cluster for somebody else.
  if (others.length > 0) return;
  const removeSecret = async (): Promise<void> => {
    if (secret) await plane.remove(secretRef(inputs.name), { uid: secret.metadata.uid });
  };
  const isThere = await untilAwake(context, inputs);
  // Without the Secret, Lifecycle Manager takes the cluster for deleted and removes nothing from it.
  if (!isThere) await removeSecret();
  if (kyma) {
    await plane.remove(ref, { uid: kyma.metadata.uid });
    let [left, reported] = ["", ""];
    await until(
      work,
      async () => {
        const live = await ifServed(plane, ref);
        if (live === undefined || live.metadata.uid !== kyma.metadata.uid) return true;
        left = leftIn(live);
        if (left !== reported) work.log("status", `stage: CleanupCluster (${(reported = left)})`);
        return undefined;
      },
      () => Promise.resolve(new Error(stuck(work.title, work.timeoutSeconds, left))),
    );
  }
  if (!isThere) return;
  await removeSecret();
  await revokeAccess(connect(inputs.kubeconfig, inputs.context, { signal: context.signal }));
}

const stuck = (title: string, seconds: number, left: string): string =>
  `${title} is not gone after ${seconds} seconds: ${left}. Lifecycle Manager removes its modules first: check that it runs, and what its modules report, then try again. ` +
  `To give up what the modules have created outside of the cluster, remove the finalizers of ${title}`;
