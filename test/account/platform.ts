/** The repository of the platform that a run creates: its files, as a team would write them. */

import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseDocument, stringify } from "yaml";
import { RUN_TAG } from "./aws/stacks";
import type { AccountTest } from "./step";

/** Writes the repository without the platform: Pulumi's project, whose program is the checkout's, and the stack `dev`. */
export function writeRepository(root: string, folder: string): void {
  const write = (file: string, text: string): void => writeFileSync(path.join(folder, file), text);
  const copy = (file: string): string => readFileSync(path.join(root, file), "utf8");
  write(
    "Pulumi.yaml",
    copy("Pulumi.yaml").replace(/^( +path: )(\..*)$/m, (_, key: string, to: string) => key + path.join(root, to)),
  );
  write("program.js", `module.exports = require(${JSON.stringify(path.join(root, "program.js"))});\n`);
  write("Pulumi.dev.yaml", copy("Pulumi.dev.yaml"));
  write(".gitignore", "node_modules\npolicy\n");
  for (const name of ["node_modules", "policy"]) {
    if (!existsSync(path.join(folder, name))) symlinkSync(path.join(root, name), path.join(folder, name));
  }
}

const fileOf = ({ commands }: AccountTest, stack: string): string =>
  path.join(commands.project, `Pulumi.${stack}.yaml`);

/** Writes the stack file of the platform: the smallest cluster that has all that the steps change. */
export function writePlatform(test: AccountTest): void {
  const { names, options, record } = test;
  const cluster = {
    ...{ type: "eks", name: names.cluster, region: options.region, version: options.kubernetesVersion },
    network: { cidr: "10.97.0.0/16", zones: 2, nat: "single" },
    endpoint: { publicCidrs: [options.publicCidr] },
    access: {
      admins: { deploy: record.value("deploy"), caller: record.value("principal") },
      readers: { preview: record.value("preview") },
    },
    ...{ lock: "required", ami: "pinned" },
    tags: { [RUN_TAG]: record.id },
    nodePools: { general: { instanceTypes: ["m7i.large"], min: 2, max: 3 } },
  };
  writeFileSync(fileOf(test, names.stack), stringify({ config: { "stackyard:cluster": cluster } }, { lineWidth: 0 }));
}

/** Sets keys of the cluster in a stack file, and commits that. */
export async function change(test: AccountTest, stack: string, keys: Readonly<Record<string, unknown>>): Promise<void> {
  const file = fileOf(test, stack);
  const document = parseDocument(readFileSync(file, "utf8"));
  for (const [key, value] of Object.entries(keys)) document.setIn(["config", "stackyard:cluster", key], value);
  writeFileSync(file, document.toString({ lineWidth: 0 }));
  await commit(test, `Set ${Object.keys(keys).join(", ")} of ${stack}`);
}

/** Commits everything, if anything differs. */
export async function commit({ commands }: AccountTest, title: string): Promise<void> {
  await commands.git("add", "--all");
  if ((await commands.git("status", "--porcelain")).trim() !== "") await commands.git("commit", "-q", "-m", title);
}
