import { backendIn, workspacesIn, type Workspaces } from "../../../foundation/pulumi/backend";
import { RUNTIME_PROJECT } from "../../../engine/stack/names";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { isFolder, makeStack, secure, stackFile, stacksOf } from "../../tools/warmPulumi/stackFile";
import { warmPulumi } from "../../tools/warmPulumi/warmPulumi";
import type { Place } from "../runtime/world";

const CHECKOUT = path.join(__dirname, "../../..");

/** How a command ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  /** What it has printed to standard error so far. */
  readonly said: () => string;
}

/** A project folder like the checkout's, with stack files of its own. The programs are the checkout's. */
export class Project {
  readonly folder = mkdtempSync(path.join(tmpdir(), "stackyard-cli-"));
  readonly runtimeFolder = path.join(this.folder, "runtime");

  constructor(
    readonly place: Place,
    /** Name of the platform stack. */
    readonly stack = "here",
  ) {
    mkdirSync(this.runtimeFolder);
    this.copyProject("Pulumi.yaml");
    this.copyProject(path.join("runtime", "Pulumi.yaml"));
  }

  /** The same checkout with another environment. */
  within(env: Readonly<Record<string, string>>): Project {
    const place = { ...this.place, env: { ...this.place.env, ...env } };
    return Object.create(this, { place: { value: place } }) as Project;
  }

  get workspaces(): Workspaces {
    return workspacesIn(this.folder, backendIn(this.place.env));
  }

  /** Deploys the platform stack with this config, secrets by their paths in it, and the place's ledger. */
  async platform(
    config: Readonly<Record<string, unknown>>,
    secrets: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const keys = Object.entries({ ...config, ledger: secure(this.place.ledgerUrl) });
    const all = Object.fromEntries(keys.map(([key, value]) => [`stackyard:${key}`, value])) as object;
    writeFileSync(path.join(this.folder, `Pulumi.${this.stack}.yaml`), stackFile(all));
    const { platforms } = this.workspaces;
    if (isFolder(platforms)) await makeStack("stackyard", this.stack, platforms);
    else await this.must("pulumi", "stack", "init", this.stack, "--no-select");
    const set = ["config", "set", "-s", this.stack, "--secret"];
    for (const [at, value] of Object.entries(secrets)) {
      await this.must("pulumi", ...set, "--path", `stackyard:${at}`, value);
    }
    await this.must("pulumi", "up", "-s", this.stack, "--yes", "--skip-preview");
  }

  /** Writes the config of the platform stack again; its salt and its ledger stay. */
  describe(config: Readonly<Record<string, unknown>>): void {
    const file = path.join(this.folder, `Pulumi.${this.stack}.yaml`);
    const before = readFileSync(file, "utf8");
    const salt = before.split("\nconfig:")[0] ?? "";
    const ledger = /\n( +stackyard:ledger:\n +secure: \S+)/.exec(before)?.[1] ?? "";
    const lines = Object.entries(config).map(([key, value]) => `  stackyard:${key}: ${JSON.stringify(value)}`);
    writeFileSync(file, [salt, "config:", ledger, ...lines, ""].join("\n"));
  }

  stackyard(...args: string[]): Promise<Ended> {
    return this.start(...args).ended;
  }

  /** A command on runtimes that must succeed. */
  async runtime(...args: string[]): Promise<Ended> {
    const ended = await this.stackyard("runtime", ...args);
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    return ended;
  }

  /** Runs our command line and goes on at once. */
  start(...args: string[]): Started {
    return this.spawn(this.folder, path.join(CHECKOUT, "cli", "bin", "stackyard"), ...args);
  }

  /** The Pulumi CLI by hand, in the folder of the runtimes. */
  pulumi(...args: string[]): Promise<Ended> {
    return this.runs(this.runtimeFolder, "pulumi", ...args, "--non-interactive");
  }

  /** Runs any program in the folder of the runtimes and goes on at once. */
  run(program: string, ...args: string[]): Started {
    return this.spawn(this.runtimeFolder, program, ...args);
  }

  /** The same in the folder of the platform. */
  hand(...args: string[]): Promise<Ended> {
    return this.runs(this.folder, "pulumi", ...args, "--non-interactive");
  }

  /** A verb of Pulumi on the platform stack, without questions. */
  async verb(verb: string, ...args: string[]): Promise<{ readonly code: number; readonly text: string }> {
    const flags = verb === "preview" ? [] : ["--yes", "--skip-preview"];
    const { code, stdout, stderr } = await this.hand(verb, "-s", this.stack, ...flags, ...args);
    return { code, text: stdout + stderr };
  }

  /** Puts a state in the place of a runtime's. */
  async importState(id: string, text: string): Promise<void> {
    const file = path.join(this.folder, `${id}.state.json`);
    writeFileSync(file, text);
    const { code, stderr } = await this.pulumi("stack", "import", "-s", id, "--file", file);
    if (code !== 0) throw new Error(stderr);
  }

  /** A command in the project's folder that must not fail; gives its output. */
  async must(program: string, ...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.runs(this.folder, program, ...args);
    if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code}:\n${stdout}${stderr}`);
    return stdout;
  }

  /** Path of a runtime's stack file. */
  stackFile(id: string): string {
    return path.join(this.runtimeFolder, `Pulumi.${id}.yaml`);
  }

  hasStackFile(id: string): boolean {
    return existsSync(this.stackFile(id));
  }

  /** Names of the runtimes' stacks, as the engine sees them. */
  async stacks(): Promise<string[]> {
    const { runtimes } = this.workspaces;
    if (isFolder(runtimes)) return stacksOf(RUNTIME_PROJECT, runtimes);
    const { stdout } = await this.pulumi("stack", "ls", "--json");
    return (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name).sort();
  }

  /** Destroys all runtimes and the platform, and removes the folder. */
  async remove(platform = this.stack): Promise<void> {
    for (const id of await this.stacks()) {
      const { code } = await this.pulumi("destroy", "-s", id, "--yes", "--skip-preview", "--remove");
      // Operations that a killed command left pending are settled by our own command.
      if (code !== 0) await this.stackyard("runtime", "destroy", id, "--yes");
    }
    await this.must("pulumi", "destroy", "-s", platform, "--yes", "--skip-preview", "--remove");
    rmSync(this.folder, { recursive: true, force: true });
  }

  private copyProject(file: string): void {
    const home = path.dirname(path.join(CHECKOUT, file));
    const text = readFileSync(path.join(CHECKOUT, file), "utf8")
      .replace(/^main: (.*)$/m, (_, main: string) => `main: ${path.join(home, main)}`)
      .replace(/^( +path: )(\..*)$/gm, (_, key: string, provider: string) => `${key}${path.join(home, provider)}`);
    writeFileSync(path.join(this.folder, file), text);
  }

  /** Runs a program to its end; a command of Pulumi in the process that keeps it loaded, if it can. */
  private async runs(cwd: string, program: string, ...args: string[]): Promise<Ended> {
    const warm = program === "pulumi" ? await warmPulumi(args, cwd, this.env) : undefined;
    return warm ?? this.spawn(cwd, program, ...args).ended;
  }

  /** Without the logins of whoever runs the tests. */
  private get env(): Record<string, string> {
    const own = { STACKYARD_PROJECT: this.folder, STACKYARD_PLATFORM: this.stack, XDG_CONFIG_HOME: this.folder };
    return { ...own, ...this.place.env, NO_COLOR: "1" };
  }

  private spawn(cwd: string, program: string, ...args: string[]): Started {
    const child = spawn(program, args, { cwd, env: this.env, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    const ended = new Promise<Ended>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => resolve({ code: code ?? -1, stdout, stderr }));
    });
    return { pid: child.pid ?? 0, ended, said: () => stderr };
  }
}
