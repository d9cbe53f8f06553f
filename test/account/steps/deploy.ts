import { writeFileSync } from "node:fs";
import path from "node:path";
import { Failure } from "../../../foundation/errors";
import type { AccountStep } from "../step";
import { digestOfPlan } from "./approval";
import { planFile } from "./plan";

/** What the job `deploy` of promote.yaml does, and then what an administrator does once in the new cluster. */
export const deploy: AccountStep = {
  name: "deploy",
  does: "exactly the approved plan, by the role that may change; the ClusterRole for previews",
  minutes: 25,
  charged: { key: 2, cluster: 1, natGateway: 1, publicAddress: 1, node: 2, smallNode: 1, disk: 3 },

  async run(test) {
    const { names, record, commands } = test;
    const { stack } = names;
    if (digestOfPlan(test) !== record.value("approved")) throw new Failure("the plan is not the one that was approved");
    const isResumed = record.isCreated(`platform ${stack}`);
    record.creates(`platform ${stack}`, `pulumi destroy --stack ${stack}   # in ${commands.project}`);
    // An update that was interrupted is continued by hand, because its plan is out of date.
    if (isResumed) await commands.pulumi(["cancel", "--stack", stack, "--yes"], { as: "deploy" });
    if (isResumed) await commands.pulumi(["up", "--stack", stack, "--yes", "--skip-preview"], { as: "deploy" });
    else
      await commands.stackyard(["promote", "dev", stack, "--any-commit", "--plan", planFile(test), "--yes"], {
        as: "deploy",
      });
    await commands.stackyard(["lock", "release", stack, "--force"], { as: "deploy" });
    const kubeconfig = await commands.pulumi(["stack", "output", "kubeconfig", "--show-secrets", "--stack", stack]);
    writeFileSync(path.join(record.folder, "kubeconfig"), kubeconfig, { mode: 0o600 });
    const role = await commands.stackyard(["bootstrap", "kubernetes", stack]);
    await commands.kubectl(["apply", "-f", "-"], { input: role });
    await commands.stackyard(["preview", stack], { as: "preview", says: /no changes/ });
  },
};
