import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { Failure } from "../../../foundation/errors";
import { confirm } from "../confirm";
import type { AccountStep, AccountTest } from "../step";
import { planFile } from "./plan";

export const digestOfPlan = (test: Pick<AccountTest, "record">): string =>
  createHash("sha256")
    .update(readFileSync(planFile(test)))
    .digest("hex");

/** What the required reviewers of a GitHub environment do. */
export const approval: AccountStep = {
  name: "approval",
  does: "a reviewer reads the plan and approves it",
  minutes: 2,
  charged: { key: 1 },

  async run(test) {
    const { options, record, say } = test;
    say(`    read ${path.join(record.folder, "plan.md")}`);
    if (!options.yes && !(await confirm("Deploy this plan?"))) throw new Failure("the plan was not approved");
    record.set({ approved: digestOfPlan(test) });
  },
};
