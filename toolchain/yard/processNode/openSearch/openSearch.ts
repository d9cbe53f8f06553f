import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";
import { promisify } from "node:util";
import { withLock } from "../../../bootstrap/lock.js";
import { toolsFolder } from "../../../bootstrap/paths.js";
import { say, step } from "../../../bootstrap/progress.js";
import type { ProcessImage } from "../images";

const run = promisify(execFile);

const LAUNCHER = "OpenSearch";
/** Of the names and digests of all jars. */
const JARS = "044048e66a6caac815d588923a10fe5ceb38fcf7f0a32731ead4bcc8fd81ce06";
const HOME = "/usr/share/opensearch";

/** The image of OpenSearch, or what this machine lacks for it. */
type Found = { readonly image: ProcessImage } | { readonly missing: string };

/**
 * The official image of OpenSearch as a process: a node from Maven's packages, which are verified by a digest, with its HTTP API and the
 * built-in analyzers, without security and other plugins. Settings are variables, as in the image: `discovery.type`.
 */
export async function openSearchImage(root: string): Promise<Found> {
  const java = await javaHome();
  if (java === undefined)
    return { missing: "no Java of version 17 or newer with javac and mvn on PATH: install a JDK and Maven" };
  const sources = path.join(root, "toolchain", "yard", "processNode", "openSearch");
  const files = ["pom.xml", `${LAUNCHER}.java`].map((name) => path.join(sources, name));
  const hash = createHash("sha256");
  for (const file of files) hash.update(fs.readFileSync(file));
  const folder = path.join(toolsFolder(), `opensearch-${hash.digest("hex").slice(0, 12)}`);
  if (!fs.existsSync(folder)) {
    await withLock(
      `${folder}.lock`,
      async () => {
        if (!fs.existsSync(folder)) await step("OpenSearch from Maven", "about 1 min", () => install(files, folder));
      },
      (holder) => say(`• OpenSearch: process ${holder} is installing it; waiting`),
    );
  }
  return {
    image: {
      name: "(^|/)opensearchproject/opensearch:2\\.",
      folders: [java, folder],
      env: { PATH: `${java}/bin:/usr/bin:/bin`, HOME },
      // Bash passes on variables whose names have dots.
      command: ["bash", "-c", `exec java $OPENSEARCH_JAVA_OPTS -cp '${folder}:${folder}/*' ${LAUNCHER} "$HOME"`],
      user: 1000,
      workingDir: HOME,
    },
  };
}

/** Folder of the Java on PATH, if it is new enough and complete. */
async function javaHome(): Promise<string | undefined> {
  try {
    await run("mvn", ["--version"]);
    const { stderr } = await run("javac", ["-J-XshowSettings:properties", "-version"]);
    const [, home] = /java\.home = (.+)/.exec(stderr) ?? [];
    const [, version] = /java\.specification\.version = (\d+)/.exec(stderr) ?? [];
    return Number(version) >= 17 ? home : undefined;
  } catch {
    return undefined; // Not installed.
  }
}

async function install([pom = "", launcher = ""]: readonly string[], folder: string): Promise<void> {
  const temporary = fs.mkdtempSync(`${folder}.new-`);
  try {
    const args = ["-q", "-B", "-f", pom, "dependency:copy-dependencies", `-DoutputDirectory=${temporary}`];
    await run("mvn", [...args, `-Dmdep.overWriteReleases=false`], { cwd: temporary });
    const found = digestOf(temporary);
    if (found !== JARS) throw new Error(`Maven's packages for OpenSearch have the digest ${found}; expected ${JARS}`);
    await run("javac", ["-cp", `${temporary}/*`, "-d", temporary, launcher]);
    fs.chmodSync(temporary, 0o755);
    fs.renameSync(temporary, folder);
  } finally {
    fs.rmSync(temporary, { recursive: true, force: true });
  }
}

function digestOf(folder: string): string {
  const all = createHash("sha256");
  for (const name of fs.readdirSync(folder).sort())
    all.update(
      `${name} ${createHash("sha256")
        .update(fs.readFileSync(path.join(folder, name)))
        .digest("hex")}\n`,
    );
  return all.digest("hex");
}
