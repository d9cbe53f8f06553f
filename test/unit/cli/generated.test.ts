import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import * as path from "node:path";
import type { Command } from "commander";
import fc from "fast-check";
import { program } from "../../../cli/program";
import { backendIn, workspacesIn } from "../../../foundation/pulumi/backend";
import type { Context } from "../../../cli/context";
import { runCommandLine } from "../../../cli/main";
import { colours } from "../../../cli/terminal/colours";
import { Live } from "../../../cli/terminal/live";

const CHECKOUT = path.join(__dirname, "../../..");
const RUNS = 500;

/** What people and other programs give that nobody expects. */
const WORDS = [
  "acme", "dev", "stackyard/dev", "__proto__", "constructor", "/etc/passwd", "../..", "a b", "*", "", "-", "0", "-1",
  "1e99", "99999999999", "null", "{}", "é", "\u0000", "x".repeat(300), "key=value", "https://", "oci://x", "file:///",
  "git+https://127.0.0.1:1/x.git", "sha256:0", "system:anonymous", "--", "%2e%2e%2f", "${HOME}", "a:b:c",
] as const; // prettier-ignore

const FILES: Readonly<Record<string, string | Buffer>> = {
  "alias.yaml": "acme: *nobody\n",
  "proto.yaml": "__proto__: {version: '1'}\nconstructor: {slots: 1}\n",
  "huge.yaml": "acme: {version: '1', slots: 1e30, diskGb: 0.5, annotations: []}\n",
  "list.json": "[1, [2, [3]]]",
  "text.yaml": "just a text",
  "empty.yaml": "",
  "null.json": "null",
  "binary.yaml": Buffer.from([0, 255, 254, 1, 2, 3]),
  "deep.json": `${"[".repeat(5000)}${"]".repeat(5000)}`,
  "bomb.yaml": "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c, *c]\n",
  "tabs.yaml": "a:\n\t- b\n",
  "object.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: __proto__, namespace: ../..}\n",
  "sources.yaml": "sources: [{type: nope}, {type: local, path: /nowhere}, 5, null]\n",
  "job.json": '{"name": "x", "operations": "no", "workers": -1, "assets": {}}',
};

/** Everything below a folder, with its content. */
function pictureOf(folder: string): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    const file = path.join(folder, name);
    hash.update(name);
    if (statSync(file).isFile()) hash.update(readFileSync(file));
  }
  return hash.digest("hex");
}

function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

const wordsTo = (command: Command): string[] =>
  command.parent === null ? [] : [...wordsTo(command.parent), command.name()];

describe("a generated command line", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-generated-"));
  const project = path.join(folder, "project");
  const { env, cwd } = { env: { ...process.env }, cwd: process.cwd() };
  const { isTTY } = process.stdin;
  /** An API server that allows nothing, answers with nonsense, or has nothing. */
  const server = createServer(({ url = "" }, response) => {
    const code = [403, 200, 404][url.length % 3] ?? 404;
    response.statusCode = code;
    response.end(code === 200 ? "<html>hello</html>" : JSON.stringify({ kind: "Status", message: "no", code }));
  });

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    mkdirSync(path.join(project, "runtime"), { recursive: true });
    for (const file of ["Pulumi.yaml", "Pulumi.dev.yaml", "runtime/Pulumi.yaml"])
      cpSync(path.join(CHECKOUT, file), path.join(project, file));
    for (const [name, content] of Object.entries(FILES)) writeFileSync(path.join(project, name), content);
    const at = { cluster: { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }, name: "c" };
    const contexts = [{ name: "c", context: { cluster: "c", user: "c" } }];
    const kubeconfig = { clusters: [at], contexts, users: [{ name: "c", user: {} }], "current-context": "c" };
    writeFileSync(path.join(project, "kubeconfig"), JSON.stringify(kubeconfig));
    // Without programs that could change anything, in a backend and a home of its own.
    const own = { PATH: path.join(folder, "bin"), HOME: path.join(folder, "home"), KUBECONFIG: "kubeconfig" };
    const cache = { XDG_CACHE_HOME: path.join(folder, "cache"), TMPDIR: mkdtempSync(path.join(folder, "tmp-")) };
    Object.assign(process.env, own, cache, { PULUMI_BACKEND_URL: `file://${folder}/state`, NO_COLOR: "1" });
    process.chdir(project);
    process.stdin.isTTY = false;
  });
  after(() => {
    process.chdir(cwd);
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    process.stdin.isTTY = isTTY;
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs a command line in this process; gives its exit code and all it said. */
  async function end(argv: readonly string[]): Promise<{ code: number; said: string }> {
    let said = "";
    const write = (text: string): boolean => {
      said += text;
      return true;
    };
    const live = new Live({ write } as unknown as NodeJS.WriteStream, false);
    const print = (text: string): void => void write(`${text}\n`);
    const context: Context = {
      root: project,
      ...workspacesIn(project, backendIn(process.env)),
      colours: colours(false),
      live,
      print,
    };
    const commands = program(context);
    const quiet = (command: Command): void => {
      command.configureOutput({ writeErr: write, writeOut: write });
      command.commands.forEach(quiet);
    };
    quiet(commands);
    process.exitCode = undefined;
    await runCommandLine(commands, context, argv);
    const code = Number(process.exitCode ?? 0);
    process.exitCode = undefined;
    return { code, said };
  }

  const all = leaves(program({} as Context));
  const word = fc.oneof(
    fc.constantFrom(...WORDS),
    fc.constantFrom(...Object.keys(FILES)),
    fc.string({ maxLength: 12 }),
  );
  const commandLine = fc.constantFrom(...all).chain((command) => {
    const flags = command.options.map(({ long, short }) => long ?? short ?? "");
    const option =
      flags.length === 0
        ? fc.constant<string[]>([])
        : fc.tuple(fc.constantFrom(...flags), word).map((pair): string[] => pair);
    return fc
      .tuple(fc.array(option, { maxLength: 3 }), fc.array(word, { maxLength: 3 }))
      .map(([options, words]) => [...wordsTo(command), ...options.flat(), ...words]);
  });

  it("ends with exit code 0, 1 or 2, without a stack trace and without a change", async function () {
    this.timeout(120_000);
    const picture = pictureOf(project);
    const line = commandLine.filter((argv) => !argv.includes("-") && !argv.some((each) => /-o|--output/.test(each)));
    await fc.assert(
      fc.asyncProperty(line, async (argv) => {
        const { code, said } = await end(argv);
        assert.ok([0, 1, 2].includes(code), `${code}: ${said}`);
        assert.doesNotMatch(said, /^\s+at .*:\d+:\d+\)?$/m);
        assert.doesNotMatch(said, /unexpected error/);
        assert.equal(pictureOf(project), picture, said);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  it("is rejected if it has an invalid name of a namespace or a bundle", async () => {
    for (const argv of [
      ["bundle", "show", "x", "-n", "/etc/passwd"],
      ["bundle", "show", "../.."],
      ["bundle", "list", "--namespace", ".."],
    ]) {
      const { code, said } = await end(argv);
      assert.equal(code, 2, said);
      assert.match(said, /Expected a legal name/);
    }
  });

  it("reports an unreachable state database without its password", async () => {
    process.env["PULUMI_BACKEND_URL"] = "postgres://user:hunter2@127.0.0.1:1/state";
    const { code, said } = await end(["runtime", "list"]);
    assert.equal(code, 1);
    assert.match(said, /^error: the state database 127\.0\.0\.1:1\/state cannot be reached: /);
    assert.doesNotMatch(said, /hunter2/);
  });
});
