import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { withCpuLimit } from "../../../../kubernetes/helmEngine/cpu";

describe("the limit of CPU", () => {
  let child: ChildProcess;
  const limit = { mostMs: 300, reason: new Error("it took more than 0.3 s of CPU") };
  const within = (script: string, ms: number): Promise<void> => {
    child = spawn("/bin/sh", ["-c", script]);
    const { signal } = new AbortController();
    return withCpuLimit(child.pid ?? 0, limit, signal, (either) => sleep(ms, undefined, { signal: either }));
  };
  afterEach(() => child.kill("SIGKILL"));

  it("ends the work of a process that takes more", async () => {
    await assert.rejects(within("while :; do :; done", 50_000), (error) => {
      assert.equal((error as Error).cause, limit.reason);
      return true;
    });
  });

  it("counts no time in which the process waits", async () => {
    if (process.platform === "linux") await within("exec sleep 60", 1_200);
  });
});
