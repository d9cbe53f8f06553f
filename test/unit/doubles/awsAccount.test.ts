import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const world = path.join(__dirname, "../../doubles/aws/world.ts");

describe("the account of the double of AWS", () => {
  it("keeps what several providers write at once", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "stackyard-account-"));
    const file = path.join(folder, "aws.json");
    const program = `const { keep } = require(${JSON.stringify(world)});
for (let index = 0; index < 100; index++) keep({ token: "aws:iam/role:Role", id: process.argv[1] + index, inputs: {}, outputs: {} });`;
    const env = { ...process.env, STACKYARD_AWS_DOUBLE: file };
    const args = (id: string) => ["--require", "tsx/cjs", "--eval", program, id];
    try {
      await Promise.all(["a", "b", "c"].map((id) => promisify(execFile)(process.execPath, args(id), { env })));
      assert.equal((JSON.parse(readFileSync(file, "utf8")) as unknown[]).length, 300);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
