import { spawn } from "node:child_process";
import { access, constants, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { Failure, UsageError } from "../../../foundation/errors";

/** Programs that build container images, in the order of the lookup: daemonless ones first. */
export const BUILDERS = ["podman", "buildah", "docker", "nerdctl"] as const;
export type BuilderName = (typeof BUILDERS)[number];

interface Builder {
  readonly name: BuilderName;
  readonly program: string;
}

/** Builders that write the pushed digest to a file; others are asked for it afterwards. */
const WRITES_DIGEST: readonly BuilderName[] = ["podman", "buildah"];

/** Returns the requested builder, or the first one that is installed and works. */
export async function findBuilder(asked: string | undefined, PATH = process.env["PATH"] ?? ""): Promise<Builder> {
  const names = BUILDERS.filter((name) => asked === undefined || name === asked);
  if (names.length === 0) throw new UsageError(`builder: found ${asked}; expected one of ${BUILDERS.join(", ")}`);
  const useless: string[] = [];
  for (const name of names) {
    const program = await inPath(name, PATH);
    if (program === undefined) continue;
    // A client needs its daemon.
    const { code, stderr } = await run(program, ["info"]);
    if (code === 0) return { name, program };
    useless.push(`${program} does not work here: ${lastLine(stderr)}`);
  }
  const looked = `looked for ${names.join(", ")} on PATH`;
  const other = "or build the image elsewhere, and name it as stackyard:teraslice.image";
  throw new Failure(
    useless.length === 0
      ? `no builder of images is installed: ${looked}. Install one of them, ${other}`
      : `no builder of images works: ${looked}.\n${useless.map((line) => `  - ${line}`).join("\n")}\nStart it, ${other}`,
  );
}

async function inPath(name: string, PATH: string): Promise<string | undefined> {
  for (const folder of PATH.split(path.delimiter).filter((each) => each !== "")) {
    const program = path.join(folder, name);
    const isThere = await access(program, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return program;
  }
  return undefined;
}

interface BuildRequest {
  readonly tag: string;
  /** Absolute path, like `file`. */
  readonly folder: string;
  readonly file: string;
  readonly platform?: string;
  readonly buildArgs: Readonly<Record<string, string>>;
}

/** Receives a builder's output. */
type Say = (text: string) => void;

/** Builds an image, and returns its id. */
export async function runBuilder({ name, program }: Builder, wanted: BuildRequest, say: Say): Promise<string> {
  const { tag, folder, file, platform, buildArgs } = wanted;
  return withFile(async (ids) => {
    const args = [
      ...["build", "--tag", tag, "--file", file, "--iidfile", ids],
      ...(platform === undefined ? [] : ["--platform", platform]),
      ...Object.entries(buildArgs).flatMap(([key, value]) => ["--build-arg", `${key}=${value}`]),
    ];
    const { code } = await run(program, [...args, folder], say);
    if (code !== 0) throw new Failure(`${name} could not build ${tag}; its output is above`);
    return (await readFile(ids, "utf8")).trim();
  });
}

/** Pushes an image to its registry, and returns its digest there. */
export async function pushImage({ name, program }: Builder, tag: string, say: Say): Promise<string> {
  const failed = new Failure(`${name} could not push ${tag}; its output is above. Are you logged in to its registry?`);
  if (WRITES_DIGEST.includes(name)) {
    return withFile(async (digest) => {
      if ((await run(program, ["push", "--digestfile", digest, tag], say)).code !== 0) throw failed;
      return (await readFile(digest, "utf8")).trim();
    });
  }
  if ((await run(program, ["push", tag], say)).code !== 0) throw failed;
  const asked = ["image", "inspect", "--format", "{{json .RepoDigests}}", tag];
  const { code, stdout, stderr } = await run(program, asked);
  if (code !== 0) throw new Failure(`${name} does not say the digest of ${tag}: ${lastLine(stderr)}`);
  const digests = (JSON.parse(stdout) ?? []) as readonly string[];
  const repository = tag.replace(/:[^:/]*$/, "");
  // Docker Hub's images have short names.
  const own = digests.find((one) => one.startsWith(`${repository}@`)) ?? digests[0];
  if (own === undefined) throw new Failure(`${name} knows no digest of ${tag}, although it was pushed`);
  return own.slice(own.indexOf("@") + 1);
}

async function withFile<T>(work: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), "stackyard-build-"));
  try {
    return await work(path.join(folder, "answer"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs a builder. With `say`, the output goes there instead of into the result. */
function run(
  program: string,
  args: readonly string[],
  say?: Say,
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
    const texts = { stdout: "", stderr: "" };
    for (const stream of ["stdout", "stderr"] as const) {
      child[stream].setEncoding("utf8").on("data", (text: string) => {
        if (say) say(text);
        else texts[stream] += text;
      });
    }
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? 1, ...texts }));
  });
}

const lastLine = (text: string): string => text.trim().split("\n").at(-1) || "it printed nothing";
