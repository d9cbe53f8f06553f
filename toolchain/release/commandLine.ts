/** The npm package of the command line. */

import * as fs from "node:fs";
import * as path from "node:path";
import { bundle, bundleCheck, NEVER, unused, writeLicenses, writeManifest, writeProgram } from "./bundle";

/** The Kubernetes provider calls a program named aws for tokens of EKS clusters. Ours is the fallback. */
const PROGRAM = `
const path = require("node:path");
require("./foundation/loader/localGrpc").reachLocalGrpc(process.env);
process.env.PATH = [process.env.PATH, path.join(__dirname, "bin", "aws")].join(path.delimiter);
const { projectFolder } = require("./cli/project/folder");
exports.run = (argv, name) => void require("./cli/main").main(projectFolder(process.cwd()), argv, name);
`;

const TOKEN = `module.exports = require("./cli/aws/token");`;

/** Only assets of Teraslice and `stackyard affected` need it. */
const DEPENDENCIES = ["esbuild"];

const start = (words: string): string => `require("node:module").enableCompileCache?.();
require("../command.cjs").run(${words});
`;

/** Builds the command line into a folder. */
export async function buildCommandLine(root: string, folder: string): Promise<void> {
  const bundled = await Promise.all([
    bundleCheck(root, folder),
    bundle(root, PROGRAM, path.join(folder, "command.cjs"), {
      // A platform's own program creates what is on AWS.
      external: [...NEVER, ...DEPENDENCIES, "@pulumi/aws", "@pulumi/aws/*"],
      // Its other form loads its files dynamically, which bundlers can't follow.
      alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
      plugins: [unused],
    }),
    bundle(root, TOKEN, path.join(folder, "token.cjs"), { external: NEVER }),
  ]);
  writeLicenses(root, bundled.flat(), folder);
  writeProgram(path.join(folder, "bin", "stackyard"), "..", start("process.argv.slice(2)"));
  writeProgram(
    path.join(folder, "bin", "kubectl-bundle"),
    "..",
    start('["bundle", ...process.argv.slice(2)], "kubectl"'),
  );
  writeProgram(
    path.join(folder, "bin", "aws", "aws"),
    "../..",
    'void require("../../token.cjs").printToken(process.argv.slice(2));\n',
  );
  fs.cpSync(path.join(root, "charts"), path.join(folder, "charts"), { recursive: true });
  writeManifest(root, folder, {
    name: "stackyard-cli",
    description: "The command line of Stackyard: repositories, checks, runtimes, bundles and delivery",
    bin: { stackyard: "bin/stackyard", "kubectl-bundle": "bin/kubectl-bundle" },
    files: ["LICENSES-BUNDLED.txt", "*.cjs", "bin/", "charts/"],
    ranges: { dependencies: DEPENDENCIES },
  });
}
