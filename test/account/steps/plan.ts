import { existsSync } from "node:fs";
import path from "node:path";
import { Failure } from "../../../foundation/errors";
import type { AccountStep, AccountTest } from "../step";

export const planFile = ({ record }: Pick<AccountTest, "record">): string => path.join(record.folder, "plan.json");

/** What the job `plan` of promote.yaml does on `main`. */
export const plan: AccountStep = {
  name: "plan",
  does: "the branch is merged; the plan of the deployment by the role that can only read",
  minutes: 3,
  charged: { key: 1 },

  async run(test) {
    const { names, record, commands } = test;
    await commands.git("checkout", "-q", "main");
    await commands.git("merge", "-q", "--no-ff", "-m", "Merge the platform", "platform");
    await commands.stackyard(["lock", "acquire", names.stack, "--reason", "account test"], { as: "preview" });
    const saved = ["--save-plan", planFile(test), "--save-changes", path.join(record.folder, "plan.md")];
    await commands.stackyard(["promote", "dev", names.stack, "--any-commit", ...saved], { as: "preview" });
    if (!existsSync(planFile(test))) throw new Failure("the plan is empty; expected one that creates the platform");
  },
};
