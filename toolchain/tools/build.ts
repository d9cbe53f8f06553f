import { spawn } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { checkOut } from "./checkout";
import type { GoBuild } from "./table";

/** Maximum length of a compiler's output in an error. */
const TAIL = 4000;

/**
 * Makes builds faster: no C compiler, no debug information (the linker would drop it anyway), and no garbage collection
 * in the short-lived compilers until they have used an eighth of the memory.
 */
function buildEnvironment(memoryBytes: number = os.totalmem()): Record<string, string> {
  const limit = Math.round(Math.min(4e9, Math.max(5e8, memoryBytes / 8)));
  return { GOWORK: "off", CGO_ENABLED: "0", GOGC: "off", GOMEMLIMIT: String(limit) };
}
const COMPILER = "-gcflags=all=-dwarf=false";

/**
 * Runs the go command. Its output is only shown on failure, because a successful build only reports downloads. Returns
 * its stdout.
 */
function go(args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn("go", [...args], {
      cwd,
      env: { ...process.env, ...buildEnvironment() },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let out = "";
    let errors = "";
    child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-TAIL)));
    child.on("error", (cause) => {
      reject(
        new Error(
          "the go command could not be started; expected Go on PATH, because the tool could not be downloaded",
          { cause },
        ),
      );
    });
    child.on("close", (code, signal) => {
      if (code === 0) resolve(out);
      else reject(new Error(`go ${args[0]} in ${cwd} ended with ${signal ?? `exit code ${code}`}:\n${errors}`));
    });
  });
}

/**
 * Passes files that a program embeds from another module's folder to the compiler as an overlay, so that nothing is
 * written to the checkout. Returns the arguments for `go build`.
 */
async function overlay(build: GoBuild, source: string, folder: string): Promise<string[]> {
  if (!build.embeds) return [];
  await go(["mod", "download", build.embeds.module], source);
  const module = (await go(["list", "-m", "-f", "{{.Dir}}", build.embeds.module], source)).trim();
  const replace = Object.fromEntries(
    Object.entries(build.embeds.files).map(([name, inside]) => [path.join(source, name), path.join(module, inside)]),
  );
  const file = path.join(folder, `${build.output}.overlay.json`);
  fs.writeFileSync(file, JSON.stringify({ Replace: replace }));
  return ["-overlay", file];
}

/** Builds a program from its pinned Go module into a folder, with links for its other names. */
export async function buildProgram(build: GoBuild, root: string, folder: string): Promise<void> {
  const checkout = path.join(folder, "checkout");
  const source = build.checkout
    ? await checkOut(build.checkout, checkout)
    : path.join(root, "toolchain", "go", build.module);
  const variables = Object.entries(build.variables).map(([name, value]) => `-X ${name}=${value}`);
  const output = path.join(folder, build.output);
  const overlays = await overlay(build, source, folder);
  await go(
    [
      "build",
      "-trimpath",
      COMPILER,
      ...(build.tags === undefined ? [] : ["-tags", build.tags]),
      ...overlays,
      "-ldflags",
      ["-s -w", ...variables].join(" "),
      "-o",
      output,
      build.package,
    ],
    source,
  );
  if (build.embeds) fs.rmSync(path.join(folder, `${build.output}.overlay.json`));
  for (const name of build.alsoKnownAs ?? []) fs.symlinkSync(build.output, path.join(folder, name));
  if (build.copies) {
    const module = (await go(["list", "-m", "-f", "{{.Dir}}", build.copies.module], source)).trim();
    for (const [name, inside] of Object.entries(build.copies.files)) {
      // Copies the content without the mode: files in the module cache are read-only.
      fs.writeFileSync(path.join(folder, name), fs.readFileSync(path.join(module, inside)));
    }
  }
  if (build.checkout) fs.rmSync(checkout, { recursive: true });
  if (build.launcher) {
    fs.writeFileSync(path.join(folder, build.launcher.name), build.launcher.script, { mode: 0o755 });
  }
}

/** Number of concurrent builds: linking a large program takes up to 4 GB. */
export function buildsAtOnce(memoryBytes: number = os.totalmem(), cores: number = os.availableParallelism()): number {
  return Math.max(1, Math.min(2, cores, Math.floor(memoryBytes / 6e9)));
}
