import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import * as path from "node:path";
import { onceForEach } from "../../../toolchain/commands/serve";

const handOver = path.join(__dirname, "../../../toolchain/bootstrap/handOver.js");

/** A program that hands over to another one, which says its process id and lives until a signal comes. */
function started(inner: string): ChildProcess {
  const program = `
    const { handOver } = require(${JSON.stringify(handOver)});
    void handOver(process.execPath, ["-e", ${JSON.stringify(inner)}], process.env).then((code) => (process.exitCode = code));
  `;
  return spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe("a program that hands over to another program", () => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    it(`forwards ${signal}, and ends after the other program with the same exit code`, async () => {
      const outer = started(`
        process.once("${signal}", () => process.exit(7));
        setInterval(() => undefined, 1000);
        console.log(process.pid);
      `);
      const [pid] = (await once(outer.stdout ?? assert.fail(), "data")) as [Buffer];
      outer.kill(signal);
      const [code] = (await once(outer, "exit")) as [number];
      assert.equal(code, 7);
      assert.equal(isRunning(Number(pid)), false);
    });
  }

  it("lets the other program notice that it was killed", async () => {
    const outer = started(`
      process.once("disconnect", () => console.log("alone"));
      setTimeout(() => undefined, 30_000);
      console.log(process.pid);
    `);
    const output = outer.stdout ?? assert.fail();
    const [pid] = (await once(output, "data")) as [Buffer];
    outer.kill("SIGKILL");
    const [said] = (await once(output, "data")) as [Buffer];
    process.kill(Number(pid), "SIGKILL");
    assert.equal(String(said).trim(), "alone");
  });

  it("ends by the signal that ended the other program", async () => {
    const [code, signal] = (await once(started("process.kill(process.pid, 'SIGKILL')"), "exit")) as [number, string];
    assert.deepEqual([code, signal], [null, "SIGKILL"]);
  });
});

describe("a signal to make serve", () => {
  it("is passed on once within a short time, and again if it is sent later", () => {
    let now = 0;
    const sent: string[] = [];
    const end = onceForEach(
      500,
      (signal) => sent.push(signal),
      () => now,
    );
    for (const at of [0, 3, 499, 700]) {
      now = at;
      end("SIGINT");
    }
    assert.deepEqual(sent, ["SIGINT", "SIGINT"]);
  });
});
