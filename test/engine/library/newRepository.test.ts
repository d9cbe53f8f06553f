import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { load } from "js-yaml";
import { writePackage } from "../../../toolchain/release/package";
import { actionlint } from "../../tools/actionlint";
import { ensureTools } from "../../../toolchain/tools/ensure";
import { projectRoot } from "../../../toolchain/root";
import { testYard } from "../runtime/yard";
import type { Place } from "../runtime/world";
import { install } from "./newProject";

const stackyard = path.join(projectRoot(), "cli", "bin", "stackyard");

describe("a repository of stackyard new", function () {
  this.timeout(200_000);
  let base: string;
  let folder: string;
  let place: Place;
  let file: string;

  /** Runs a program in the repository; throws with its output. */
  async function run(program: string, ...args: string[]): Promise<string> {
    const env = { ...place.env, STACKYARD_PROJECT: folder, STACKYARD_PLATFORM: "dev", XDG_CONFIG_HOME: base };
    return (await promisify(execFile)(program, args, { cwd: folder, env, maxBuffer: 1e8 })).stdout;
  }
  const create = (...args: string[]): string =>
    execFileSync(stackyard, ["new", ...args, "--kubeconfig", place.kubeconfig], {
      cwd: base,
      env: { ...place.env, STACKYARD_PROJECT: "" },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  const flags = (): string[] => {
    const { "current-context": context } = load(readFileSync(place.kubeconfig, "utf8")) as Record<string, string>;
    return ["--context", context ?? "", "--features", "ray,bundle,runtimes", "--state", "env", "--package", file];
  };
  const up = (): Promise<string> => run("pulumi", "up", "-s", "dev", "--yes", "--skip-preview", "--non-interactive");
  const stackFile = (): string => path.join(folder, "Pulumi.dev.yaml");

  before(async () => {
    place = await testYard();
    base = mkdtempSync(path.join(tmpdir(), "stackyard-new-"));
    folder = path.join(base, "platform");
    file = await writePackage(projectRoot(), base);
  });
  after(() => rmSync(base, { recursive: true, force: true }));

  it("is printed by a dry run, and refused in a folder that is not empty", () => {
    const printed = create("platform", ...flags(), "--dry-run");
    assert.match(printed, /^# Pulumi\.dev\.yaml$/m);
    assert.throws(() => readFileSync(stackFile()), /ENOENT/);
    mkdirSync(folder);
    writeFileSync(path.join(folder, "mine.txt"), "");
    assert.throws(
      () => create("platform", ...flags()),
      /platform is not empty: it has mine\.txt\. Nothing was written/,
    );
    rmSync(folder, { recursive: true });
  });

  it("has a platform without faults, from the packed npm package, with the commands that it prints", async () => {
    const printed = create("platform", ...flags());
    assert.match(printed, /^cd "platform"\nnpm install\npulumi stack init dev\n.*stackyard doctor dev\npulumi up/);
    const { dependencies } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as {
      dependencies: Record<string, string>;
    };
    assert.equal(dependencies["stackyard"], `file:${file}`);
    await install(folder, async (own) => {
      await promisify(execFile)("tar", ["-xzf", file, "--strip-components=1", "-C", own]);
    });
    await run("pulumi", "stack", "init", "dev");
    const { findings } = JSON.parse(await run(stackyard, "doctor", "dev", "--json")) as { findings: object[] };
    assert.ok(findings.length > 8);
    await up();
    await run("pulumi", "preview", "-s", "dev", "--expect-no-changes", "--non-interactive");
    const outputs = JSON.parse(await run("pulumi", "stack", "output", "-s", "dev", "--json")) as Record<string, object>;
    assert.deepEqual(Object.keys(outputs["ray"] ?? {}), ["main"]);
    assert.deepEqual(Object.keys(outputs["bundles"] ?? {}), ["welcome"]);
  });

  it("has workflows that pass actionlint", async () => {
    const eks = ["--eks", "acme", "--region", "eu-central-1", "--state", "s3://acme", "--secrets", "awskms://alias/a"];
    create("on-eks", ...eks);
    const { programs } = await ensureTools(projectRoot(), [actionlint]);
    const files = ["platform", "on-eks"].map((name) => path.join(base, name, ".github", "workflows", "platform.yaml"));
    await promisify(execFile)(programs["actionlint"] ?? "", ["-no-color", ...files]);
  });

  it("gets a runtime by the command line", async () => {
    await run(stackyard, "runtime", "up", "acme", "--version", "1", "--slots", "1");
    assert.match(await run(stackyard, "runtime", "list"), /^acme +running/m);
    await run(stackyard, "runtime", "destroy", "acme", "--yes");
  });

  it("loses and gets a feature by an edit of its stack file", async () => {
    const text = readFileSync(stackFile(), "utf8");
    const without = text.replace(/^ {2}stackyard:ray:\n(?: {4}.*\n)+/m, "");
    assert.notEqual(without, text);
    writeFileSync(stackFile(), without);
    await up();
    const outputs = JSON.parse(await run("pulumi", "stack", "output", "-s", "dev", "--json")) as Record<string, object>;
    assert.deepEqual([outputs["ray"], Object.keys(outputs["bundles"] ?? {})], [undefined, ["welcome"]]);
    writeFileSync(stackFile(), text);
    await up();
    await run("pulumi", "destroy", "-s", "dev", "--yes", "--skip-preview", "--non-interactive", "--remove");
  });
});
