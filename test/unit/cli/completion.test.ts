import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { program } from "../../../cli/commands/program";
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

  it("works in a real bash", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "stackyard-completion-"));
    try {
      const double = path.join(folder, "stackyard");
      writeFileSync(
        double,
        '#!/bin/sh\nshift\nfor word; do last=$word; done\nprintf "%s-one\\tfirst\\n%s-two\\tsecond\\n" "$last" "$last"\n',
      );
      chmodSync(double, 0o755);
      const script = [
        completionScript("bash"),
        "COMP_WORDS=(stackyard runtime status ac); COMP_CWORD=3; _stackyard",
        'printf "%s\\n" "${COMPREPLY[@]}"',
      ].join("\n");
      const env = { ...process.env, PATH: `${folder}${path.delimiter}${process.env.PATH ?? ""}` };
      assert.equal(execFileSync("bash", ["-c", script], { env, encoding: "utf8" }), "ac-one\nac-two\n");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
