import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import childProcess from "node:child_process";
import dns from "node:dns";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { mock } from "node:test";
import { promisify } from "node:util";
import type { Command } from "commander";
import { program } from "../../../../cli/program";
import { backendIn, workspacesIn } from "../../../../foundation/pulumi/backend";
import type { Context } from "../../../../cli/context";
import { runCommandLine } from "../../../../cli/main";
import { colours } from "../../../../cli/terminal/colours";
import { Live } from "../../../../cli/terminal/live";

const CHECKOUT = path.join(__dirname, "../../../..");

const leaves = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);

const wordsTo = (command: Command): string[] =>
  command.parent === null ? [] : [...wordsTo(command.parent), command.name()];

/** The least that a command takes, and a value for each option that it must have. */
function leastOf(command: Command): string[] {
  const needed = command.options.filter(({ mandatory }) => mandatory).flatMap(({ long }) => [long ?? "", "acme"]);
  const words = command.registeredArguments.map(() => "acme");
  return [...wordsTo(command), ...needed, ...words];
}

describe("the first output of a command in a terminal", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-first-"));
  const { env, cwd } = { env: { ...process.env }, cwd: process.cwd() };
  let events: string[] = [];

  before(() => {
    mkdirSync(path.join(folder, "runtime"));
    writeFileSync(path.join(folder, "Pulumi.yaml"), "name: stackyard\nruntime: nodejs\n");
    writeFileSync(path.join(folder, "runtime", "Pulumi.yaml"), "name: stackyard-runtime\nruntime: nodejs\n");
    const own = { PATH: "", HOME: folder, XDG_CACHE_HOME: folder, KUBECONFIG: path.join(folder, "none") };
    Object.assign(process.env, own, { PULUMI_BACKEND_URL: "postgres://user:x@127.0.0.1:1/state" });
    process.chdir(folder);
    const slow = (what: string) => () => {
      events.push(`slow: ${what}`);
      throw new Error(`${what} is kept from it`);
    };
    for (const start of ["spawn", "spawnSync", "execFile", "execFileSync", "fork"] as const) {
      mock.method(childProcess, start, slow(start));
    }
    // As a network fails: who throws here would leave the timers of anyone who connects.
    mock.method(net.Socket.prototype, "connect", function (this: net.Socket) {
      events.push("slow: network");
      process.nextTick(() => this.destroy(new Error("the network is kept from it")));
      return this;
    });
    mock.method(dns, "lookup", slow("network"));
    mock.method(globalThis, "fetch", slow("network"));
  });
  after(() => {
    mock.restoreAll();
    process.chdir(cwd);
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    process.exitCode = undefined;
    rmSync(folder, { recursive: true, force: true });
  });

  /** In this process: what it did first. */
  async function begin(argv: readonly string[]): Promise<string[]> {
    events = [];
    const write = (text: string): boolean => events.push(`output: ${text}`) > 0;
    const live = new Live({ write, isTTY: true, columns: 80 } as unknown as NodeJS.WriteStream, true);
    const context: Context = {
      ...{ root: folder, ...workspacesIn(folder, backendIn(process.env)), colours: colours(false), live },
      print: write,
    };
    const commands = program(context);
    const quiet = (command: Command): void => {
      command.configureOutput({ writeErr: write, writeOut: write });
      command.commands.forEach(quiet);
    };
    quiet(commands);
    await runCommandLine(commands, context, argv);
    return events;
  }

  const all = leaves(program({} as Context));

  it(`precedes any call of the engine, a program or the network, for all ${all.length} commands`, async function () {
    this.timeout(60_000);
    const reached: string[] = [];
    for (const command of all) {
      const argv = leastOf(command);
      const found = await begin(argv);
      assert.match(found[0] ?? "nothing", /^output: /, `${argv.join(" ")}: ${found.join(", ")}`);
      if (found.some((event) => event.startsWith("slow"))) reached.push(argv.join(" "));
    }
    assert.ok(reached.length > all.length / 4, `too few reach something slow to mean anything: ${reached.join(", ")}`);
  });

  it("names the running command, even without colours", async () => {
    assert.match((await begin(["runtime", "list"]))[0] ?? "", /^output: {3}runtime list …/);
    const plain: string[] = [];
    const stream = { write: (text: string) => plain.push(text) > 0, isTTY: true };
    const live = new Live(stream as unknown as NodeJS.WriteStream, false);
    live.begin("  runtime list …");
    live.end();
    assert.deepEqual(plain, ["  runtime list …\n"]);
  });
});

describe("a command in a real terminal", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-first-"));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("prints output before it calls a program or the network", async () => {
    const preload = path.join(folder, "preload.cjs");
    const says = 'const say = () => require("node:fs").writeSync(2, "<SLOW>");';
    const watch =
      "const was = net.Socket.prototype.connect; net.Socket.prototype.connect = function (...all) { say(); return was.apply(this, all); };";
    writeFileSync(preload, `${says} const net = require("node:net"); ${watch}`);
    const command = `${process.execPath} ${path.join(CHECKOUT, "cli", "bin", "stackyard")} runtime list`;
    const environment = {
      ...process.env,
      ...{ NODE_OPTIONS: `--require=${preload}`, STACKYARD_PROJECT: CHECKOUT, TERM: "xterm" },
      PULUMI_BACKEND_URL: "postgres://user:x@127.0.0.1:1/state",
    };
    const terminal = promisify(execFile)("script", ["-q", "-f", "-c", command, "/dev/null"], { env: environment });
    const { stdout } = await terminal;
    assert.match(stdout, /runtime list …[^]*<SLOW>[^]*cannot be reached/);
    assert.ok(stdout.indexOf("runtime list …") < stdout.indexOf("<SLOW>"), stdout);
  }).timeout(30_000);
});
