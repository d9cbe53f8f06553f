import assert from "node:assert/strict";
import { RULES } from "../../../policy/rules/rules";
import { POLICY_TABLE } from "../../fixtures/policyTable";

describe("the rules of the policy pack", () => {
  it("are tested with more than 120 documents", () => {
    assert.ok(POLICY_TABLE.length > 120, String(POLICY_TABLE.length));
  });

  for (const { what, rule, type, props, says, stack = "prod", unprotected = false } of POLICY_TABLE) {
    it(`${says ? "stop" : "let pass"} ${what} (${rule}, ${type.split(":").at(-1)})`, () => {
      const { check } = RULES.find(({ name }) => name === rule) ?? assert.fail(`no rule ${rule}`);
      const found = check({ type, props, stack, name: "it", isProtected: !unprotected }).map(({ part, message }) =>
        part === "" ? message : `${part}: ${message}`,
      );
      if (says === undefined) return assert.deepEqual(found, []);
      assert.equal(found.length, 1, found.join("\n"));
      assert.match(found[0] ?? "", says);
    });
  }
});
