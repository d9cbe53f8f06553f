import { readFileSync } from "node:fs";
import path from "node:path";
import { Failure } from "../../../foundation/errors";
import { projectRoot } from "../../../toolchain/root";
import { commit, writePlatform, writeRepository } from "../platform";
import type { AccountStep } from "../step";

/** What preview.yaml does for a pull request that adds the platform: preview by the role that can only read. */
export const pullRequest: AccountStep = {
  name: "pull-request",
  does: "a branch that adds the platform; its preview by the role that can only read, as a comment",
  minutes: 4,
  charged: { key: 1 },

  async run(test) {
    const { options, names, record, commands, say } = test;
    const { stack } = names;
    if (!record.has("branch")) {
      await commands.git("init", "-q", "--initial-branch", "main");
      writeRepository(projectRoot(), commands.project);
      await commit(test, "Begin");
      record.set({ branch: "platform" });
    }
    await commands.git("checkout", "-q", "-B", record.value("branch"));
    writePlatform(test);
    await commands.pulumi([
      "stack",
      "select",
      stack,
      "--create",
      "--secrets-provider",
      record.value("SecretsProvider"),
    ]);
    await commands.stackyard(["eks", "lock", "--stack", stack]);
    await commit(test, "Add the platform");
    const affected = await commands.stackyard(["affected", "--since", "main", "--json"], { as: "preview" });
    const ids = (JSON.parse(affected) as { stack: string }[]).map((one) => one.stack);
    if (ids.join() !== `stackyard/${stack}`)
      throw new Failure(`the branch affects ${ids.join(", ") || "no stack"}; expected stackyard/${stack} alone`);
    const changes = path.join(record.folder, "changes.md");
    const comment = options.pullRequest === undefined ? [] : ["--comment", String(options.pullRequest)];
    await commands.stackyard(["preview", stack, "--save-changes", changes, ...comment], { as: "preview" });
    if (!/<summary>create <code>aws:eks\/cluster:Cluster</.test(readFileSync(changes, "utf8")))
      throw new Failure(`${changes} does not show that the cluster is created`);
    say(
      `    the changes are in ${changes}${comment.length > 0 ? `, and in a comment of pull request ${options.pullRequest}` : ""}`,
    );
  },
};
