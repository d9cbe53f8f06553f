import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import * as path from "node:path";

const orphan = path.join(__dirname, "../../../../foundation/loader/orphan.js");

/** A program that writes for ever, and writes about every error as the engine's SDK does. */
const CHATTERBOX = `
  process.on("uncaughtException", (error) => process.stderr.write(String(error)));
  setInterval(() => process.stdout.write("still here\\n"), 10);
`;

describe("a program", () => {
  it("ends when the engine that reads its output is gone", async () => {
    const child = spawn(process.execPath, ["-e", `require(${JSON.stringify(orphan)}).endWithReader();${CHATTERBOX}`]);
    await once(child.stdout, "data");
    child.stdout.destroy();
    child.stderr.destroy();
    const [code] = (await once(child, "exit")) as [number];
    assert.equal(code, 1);
  });
});
