import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { program } from "../../../cli/program";
import { answer, complete } from "../../../cli/completion/answer";
import { completionScript, SHELLS } from "../../../cli/completion/scripts";
import { createContext } from "../../../cli/context";
import { workspacesIn } from "../../../foundation/pulumi/backend";

const words = (...line: string[]): string[] =>
  complete(program(createContext(workspacesIn("/nowhere", undefined))), line).candidates.map(({ word }) => word);

/** The reason is in the title, because the report has no other place for it. */
function skipWithout(shell: string, context: Mocha.Context): void {
  if (spawnSync(shell, ["--version"]).error === undefined) return;
  if (context.test) context.test.title += ` (${shell} is not installed)`;
  context.skip();
}

describe("shell completion", () => {
  it("offers commands and subcommands", () => {
    assert.deepEqual(words("runt"), ["runtime"]);
    assert.deepEqual(words("runtime", "hib"), ["hibernate"]);
    assert.ok(words("").includes("bundle"));
  });

  it("offers the options of the command, and the choices of an option", () => {
    assert.deepEqual(words("runtime", "up", "acme", "--sl"), ["--slots"]);
    assert.deepEqual(words("runtime", "list", "-o", "j"), ["json"]);
    assert.ok(words("runtime", "list", "--").includes("--help"));
  });

  it("offers runtimes for a command that takes their ids", () => {
    const root = program(createContext(workspacesIn("/nowhere", undefined)));
    assert.equal(complete(root, ["runtime", "status", ""]).wantsRuntimes, true);
    assert.equal(complete(root, ["runtime", "status", "--o"]).wantsRuntimes, false);
    assert.equal(complete(root, ["charts", ""]).wantsRuntimes, false);
  });

  it("prints a word and its description per line, and nothing if nothing fits", async () => {
    const printed: string[] = [];
    const nowhere = createContext(workspacesIn("/nowhere", undefined));
    const context = { ...nowhere, print: (text: string): void => void printed.push(text) };
    const root = program(context);
    await answer(root, context, ["runtime", "hib"]);
    assert.match(printed.join("|"), /^hibernate\t\S[^|]*$/);
    await answer(root, context, ["runtime", "no-such-command"]);
    assert.equal(printed.length, 1);
  });

  it("has a script for each shell that calls stackyard", () => {
    for (const shell of SHELLS) assert.match(completionScript(shell), /stackyard --complete/);
  });

  describe("in a real shell", () => {
    let folder: string;
    const run = (shell: string, script: string): string => {
      const env = { ...process.env, PATH: `${folder}${path.delimiter}${process.env.PATH ?? ""}` };
      return execFileSync(shell, ["-c", script], { env, cwd: folder, encoding: "utf8" });
    };

    before(() => {
      folder = mkdtempSync(path.join(tmpdir(), "stackyard-completion-"));
      const double = path.join(folder, "stackyard");
      // Knows what begins with ac, and nothing else.
      const known = 'case "$last" in ac*) printf "%s-one\\tfirst\\n%s-two\\tsecond\\n" "$last" "$last";; esac';
      writeFileSync(double, `#!/bin/sh\nshift\nfor word; do last=$word; done\n${known}\n`);
      chmodSync(double, 0o755);
      writeFileSync(path.join(folder, "account.yaml"), "");
      writeFileSync(path.join(folder, "file.yaml"), "");
    });
    after(() => rmSync(folder, { recursive: true }));

    it("works in bash", () => {
      const script = [
        completionScript("bash"),
        "COMP_WORDS=(stackyard runtime status ac); COMP_CWORD=3; _stackyard",
        'printf "%s\\n" "${COMPREPLY[@]}"',
      ];
      assert.equal(run("bash", script.join("\n")), "ac-one\nac-two\n");
    });

    it("works in zsh, and offers files only without other candidates", function () {
      skipWithout("zsh", this);
      this.timeout(60_000);
      writeFileSync(path.join(folder, "_stackyard.zsh"), completionScript("zsh"));
      // Completion runs in the line editor only, so a second zsh gets a terminal of its own and a tab.
      const completed = (line: string, last: string): string =>
        run(
          "zsh",
          `zmodload zsh/zpty
          text=
          # Until the shell has written something, for half a minute at most.
          await() {
            repeat 300; do
              while zpty -r -t shell piece; do text+=$piece; done
              [[ $text == *$1* ]] && return
              sleep 0.1
            done
          }
          zpty shell zsh -f -i
          zpty -w shell 'PROMPT=; unsetopt list_ambiguous; autoload -Uz compinit; compinit -u -D; source ./_stackyard.zsh; zle-line-init() { print -n "ed""ited" }; zle -N zle-line-init'
          await edited
          text=
          zpty -n -w shell ${JSON.stringify(line)}$'\\t'
          await ${JSON.stringify(last)}
          print -r -- "$text"`,
        );
      const runtimes = completed("stackyard runtime status ac", "-- second");
      assert.match(runtimes, /ac-one +-- first/);
      assert.match(runtimes, /ac-two +-- second/);
      assert.match(completed("stackyard runtime up -f fi", "file.yaml"), /file\.yaml/);
    });

    it("works in fish, and offers files only without other candidates", function () {
      skipWithout("fish", this);
      const completed = (line: string): string => run("fish", `${completionScript("fish")}\ncomplete -C "${line}"`);
      assert.equal(completed("stackyard runtime status ac"), "ac-one\tfirst\nac-two\tsecond\n");
      assert.match(completed("stackyard runtime up -f fi"), /^file\.yaml/);
    });
  });
});
