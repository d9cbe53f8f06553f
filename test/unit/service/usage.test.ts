import assert from "node:assert/strict";
import { parseArguments, USAGE } from "../../../service/usage";

describe("the command line of the service", () => {
  it("serves without a command, and accepts its commands", () => {
    assert.deepEqual(parseArguments([]), {});
    for (const command of ["migrate", "reseal"]) {
      assert.deepEqual(parseArguments([command]), { command });
      assert.match(USAGE, new RegExp(`^  ${command} `, "m"));
    }
  });

  it("reverts migrations down to a named migration", () => {
    assert.deepEqual(parseArguments(["migrate", "down", "0012_requests"]), {
      command: "migrate",
      downTo: "0012_requests",
    });
    for (const line of ["migrate down", "migrate down 0012_requests 0013_names"]) {
      assert.match(
        JSON.stringify(parseArguments(line.split(" "))),
        /expected the name of one migration after migrate down/,
      );
    }
  });

  it("shows help for every help argument", () => {
    for (const args of [["--help"], ["-h"], ["help"], ["migrate", "--help"]])
      assert.deepEqual(parseArguments(args), { help: true });
  });

  it("rejects a mistyped command", () => {
    const faults: Readonly<Record<string, string>> = {
      migrte: 'found the argument "migrte"; expected one of migrate, reseal, or nothing; did you mean migrate?',
      toString: 'found the argument "toString"; expected one of migrate, reseal, or nothing',
      "migrate now": 'found the argument "now"; expected nothing after migrate',
    };
    for (const [line, fault] of Object.entries(faults)) assert.deepEqual(parseArguments(line.split(" ")), { fault });
  });
});
