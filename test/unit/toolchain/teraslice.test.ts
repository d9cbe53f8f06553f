import assert from "node:assert/strict";
import type { Context } from "../../../cli/context";
import { terasliceCommand } from "../../../cli/teraslice/command";
import { TERASLICE, VERBS } from "../../../toolchain/commands/teraslice/teraslice";

describe("the targets of make for Teraslice", () => {
  const { commands } = terasliceCommand({} as Context);
  const given = { JOB: "a-job", WORKERS: "3" };

  before(() => Object.assign(process.env, given));
  after(() => Object.keys(given).forEach((name) => delete process.env[name]));

  for (const [target, verb] of Object.entries(VERBS)) {
    it(`run a command of stackyard teraslice: ${target}`, () => {
      assert.ok(`teraslice-${target}` in TERASLICE);
      const command = commands.find((one) => one.name() === verb.name);
      assert.ok(command, `there is no command ${verb.name}`);
      const words = "words" in verb ? verb.words() : [];
      const { operands, unknown } = command.parseOptions([...words]);
      assert.deepEqual(unknown, []);
      const expected = command.registeredArguments;
      assert.ok(operands.length >= expected.filter(({ required }) => required).length, operands.join(" "));
      assert.ok(operands.length <= expected.length, operands.join(" "));
      expected.forEach(({ argChoices }, at) => assert.ok(argChoices?.includes(operands[at] ?? "") ?? true));
    });
  }
});
