import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { program } from "../../../cli/program/program";
import { complete } from "../../../cli/completion/candidates";
import { completionScript, SHELLS } from "../../../cli/completion/scripts";
import { createContext } from "../../../cli/context";

const words = (...line: string[]): string[] =>
  complete(program(createContext("/nowhere")), line).candidates.map(({ word }) => word);

describe("shell completion", () => {
  it("offers commands and those of a group", () => {
    assert.deepEqual(words("runt"), ["runtime"]);
    assert.deepEqual(words("runtime", "hib"), ["hibernate"]);
    assert.ok(words("").includes("bundle"));
  });

  it("offers the options of the command, and the choices of an option", () => {
    assert.deepEqual(words("runtime", "up", "acme", "--sl"), ["--slots"]);
    assert.deepEqual(words("runtime", "list", "-o", "j"), ["json"]);
    assert.ok(words("runtime", "list", "--").includes("--help"));
  });

  it("offers runtimes where a command takes their ids", () => {
    const root = program(createContext("/nowhere"));
    assert.equal(complete(root, ["runtime", "status", ""]).wantsRuntimes, true);
    assert.equal(complete(root, ["runtime", "status", "--o"]).wantsRuntimes, false);
    assert.equal(complete(root, ["charts", ""]).wantsRuntimes, false);
  });

  it("has a script for each shell that asks the command", () => {
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

    it("works with bash", () => {
      const script = [
        completionScript("bash"),
        "COMP_WORDS=(stackyard runtime status ac); COMP_CWORD=3; _stackyard",
        'printf "%s\\n" "${COMPREPLY[@]}"',
      ];
      assert.equal(run("bash", script.join("\n")), "ac-one\nac-two\n");
    });

    it("works with fish, which offers files only where there is nothing else", function () {
      if (spawnSync("fish", ["--version"]).error) return this.skip();
      const completed = (line: string): string => run("fish", `${completionScript("fish")}\ncomplete -C "${line}"`);
      assert.equal(completed("stackyard runtime status ac"), "ac-one\tfirst\nac-two\tsecond\n");
      assert.match(completed("stackyard runtime up -f fi"), /^file\.yaml/);
    });
  });
});
