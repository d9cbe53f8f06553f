import { Failure } from "../../foundation/errors";
import { change } from "./platform";
import type { AccountTest } from "./step";

/** The minor version after one. */
export const nextMinor = (version: string): string => `1.${Number(version.slice(2)) + 1}`;

/** Records the versions of add-ons and images for a minor version of Kubernetes, sets it in the stack file, and previews that. */
export async function setVersion(test: AccountTest, version: string): Promise<void> {
  const { names, commands } = test;
  await commands.stackyard(["eks", "lock", "--stack", names.stack, "--kubernetes-version", version]);
  await change(test, names.stack, { version });
  await commands.stackyard(["preview", names.stack], { as: "preview" });
}

/** One update by the role that may change, after which the control plane and the nodes have these versions. */
export async function updateTo(test: AccountTest, controlPlane: string, nodes: string): Promise<void> {
  const { names, account, commands, say } = test;
  await commands.pulumi(["up", "--stack", names.stack, "--yes", "--skip-preview"], { as: "deploy" });
  const running = await account.clusterVersion(names.cluster);
  const versions = new Set((await account.nodeGroups(names.cluster)).map(({ version }) => version));
  const found = `control plane ${running}, nodes ${[...versions].join(", ")}`;
  if (found !== `control plane ${controlPlane}, nodes ${nodes}`)
    throw new Failure(`found ${found}; expected control plane ${controlPlane}, nodes ${nodes}`);
  say(`    ${found}`);
}
