/**
 * `npx tsx toolchain/release/providers.ts FOLDER` writes the archives of the provider that `pulumi plugin install`
 * downloads. They have Node.js, because a program in another language may have none.
 */

import { execFile } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { promisify } from "node:util";
import { version } from "../../package.json";
import { download } from "../bootstrap/download";
import { version as nodeVersion } from "../bootstrap/node-packages.json";
import { buildPackage } from "./package";
import { projectRoot } from "../root";

const run = promisify(execFile);

/** Systems and processors, as Pulumi names them, with the names of Node.js. */
const PLATFORMS = {
  "linux-amd64": "linux-x64",
  "linux-arm64": "linux-arm64",
  "darwin-amd64": "darwin-x64",
  "darwin-arm64": "darwin-arm64",
} as const;

type Platform = keyof typeof PLATFORMS;

const PROGRAM = `#!/bin/sh
here=$(dirname "$0")
exec "$here/node" "$here/provider.cjs" "$@"
`;

/** Writes the archive of a platform. `built`: the folder of the npm package. Returns its path. */
export async function writeProvider(built: string, node: string, platform: string, folder: string): Promise<string> {
  const parts = fs.mkdtempSync(path.join(tmpdir(), "stackyard-provider-"));
  try {
    for (const name of ["provider/provider.cjs", "provider/components.cjs", "provider/package.schema.json"]) {
      fs.copyFileSync(path.join(built, name), path.join(parts, path.basename(name)));
    }
    for (const name of ["LICENSE", "LICENSES-BUNDLED.txt", "charts"]) {
      fs.cpSync(path.join(built, name), path.join(parts, name), { recursive: true });
    }
    fs.copyFileSync(node, path.join(parts, "node"));
    fs.writeFileSync(path.join(parts, "pulumi-resource-stackyard"), PROGRAM, { mode: 0o755 });
    const file = path.join(folder, `pulumi-resource-stackyard-v${version}-${platform}.tar.gz`);
    await run("tar", ["-czf", file, "--owner=0", "--group=0", "-C", parts, "."]);
    return file;
  } finally {
    fs.rmSync(parts, { recursive: true, force: true });
  }
}

/** Downloads Node.js from its official site. Returns the path of the program. */
async function nodeOf(platform: Platform, folder: string): Promise<string> {
  const base = `https://nodejs.org/dist/v${nodeVersion}`;
  const name = `node-v${nodeVersion}-${PLATFORMS[platform]}`;
  const target = path.join(folder, `${name}.tar.gz`);
  await download({ url: `${base}/${name}.tar.gz`, checksums: `${base}/SHASUMS256.txt`, target });
  await run("tar", ["-xzf", target, "-C", folder, `${name}/bin/node`]);
  return path.join(folder, name, "bin", "node");
}

async function writeProviders(folder: string): Promise<void> {
  const temporary = fs.mkdtempSync(path.join(tmpdir(), "stackyard-providers-"));
  try {
    const built = path.join(temporary, "package");
    await buildPackage(projectRoot(), built);
    for (const platform of Object.keys(PLATFORMS) as Platform[]) {
      const file = await writeProvider(built, await nodeOf(platform, temporary), platform, folder);
      process.stdout.write(`${path.relative(process.cwd(), file)}\n`);
    }
  } finally {
    fs.rmSync(temporary, { recursive: true, force: true });
  }
}

if (require.main === module) {
  writeProviders(path.resolve(process.argv[2] ?? ".")).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
}
