import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import * as path from "node:path";
import { nodeFault } from "../../../foundation/loader/nodeVersion";
import { projectRoot } from "../../../toolchain/root";

/** Every file that Node.js is started with; test/unit/library/pack.test.ts has those of the package. */
const ENTRIES = [
  "cli/bin/stackyard",
  "cli/aws/bin/aws",
  "service/bin/stackyard-service",
  "provider/pulumi-resource-stackyard",
  "policy/pulumi-analyzer-policy-stackyard",
  "program.js",
  "runtime/entry.js",
];

describe("a Node.js that is too old", () => {
  for (const entry of ENTRIES) {
    it(`is rejected with the required version by ${entry}`, () => {
      const args = [
        "--require",
        path.join(projectRoot(), "test/fixtures/oldNode.cjs"),
        path.join(projectRoot(), entry),
      ];
      const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 60_000 });
      assert.equal(status, 1, stderr);
      const line = /(?:^|Error: )(\S[^\n]*) needs Node\.js 22\.15 or newer; this is 20\.1\.0 \(\S+\)[^\n]*\n/;
      assert.match(stderr, line);
      assert.equal(stderr.trim().split("\n").length, 1, stderr);
    });
  }

  it("is compared by major and minor version", () => {
    for (const version of ["22.15.0", "22.20.1", "24.0.0"]) assert.equal(nodeFault("it", version), undefined, version);
    for (const version of ["22.14.9", "21.20.0", "9.99.0"]) assert.match(nodeFault("it", version) ?? "", /^it needs/);
  });
});
