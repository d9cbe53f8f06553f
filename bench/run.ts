import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import * as path from "node:path";

/**
 * `make bench`: runs the benchmarks, or those that are named, one after the other, each in its own process. They work
 * on the local yard and leave nothing behind.
 */
async function main(names: readonly string[]): Promise<void> {
  const known = readdirSync(__dirname)
    .filter((file) => file.endsWith(".ts") && file !== "run.ts")
    .map((file) => path.basename(file, ".ts"))
    .sort();
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    process.stderr.write(`no benchmark ${unknown.join(", ")}; there are ${known.join(", ")}\n`);
    process.exitCode = 2;
    return;
  }
  const failed: string[] = [];
  for (const name of names.length > 0 ? names : known) {
    process.stdout.write(`\n== ${name}\n`);
    if ((await run(path.join(__dirname, `${name}.ts`))) !== 0) failed.push(name);
  }
  if (failed.length > 0) {
    process.stderr.write(`\nfailed: ${failed.join(", ")}\n`);
    process.exitCode = 1;
  }
}

function run(file: string): Promise<number> {
  const child = spawn(process.execPath, ["--import", "tsx", file], { stdio: "inherit" });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
}

void main(process.argv.slice(2));
