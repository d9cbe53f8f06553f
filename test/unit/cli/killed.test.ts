import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PulumiProcess } from "../../../engine/pulumi/pulumi";

const isThere = (pid: number): boolean =>
  existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));

describe("the engine process", function () {
  before(function () {
    if (!existsSync("/proc/self/stat")) this.skip();
  });

  it("ends its plugins when it is killed", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "stackyard-killed-"));
    const pids = path.join(folder, "pids");
    // Like the engine's, its plugin is in a process group of its own.
    const engine = `#!/bin/sh\nset -m\nsleep 300 >/dev/null 2>&1 &\necho $$ $! > ${pids}.new && mv ${pids}.new ${pids}\nwait\n`;
    writeFileSync(path.join(folder, "pulumi"), engine);
    chmodSync(path.join(folder, "pulumi"), 0o755);
    try {
      const env = { PATH: `${folder}${path.delimiter}${process.env.PATH ?? ""}` };
      const { finished } = new PulumiProcess(["up", "--stack", "acme"], { folder }, { env });
      while (!existsSync(pids)) await sleep(20);
      const [own = 0, plugin = 0] = readFileSync(pids, "utf8").trim().split(" ").map(Number);
      assert.ok(isThere(plugin));
      process.kill(own, "SIGKILL");
      assert.match((await finished).stderr, /the engine \(pulumi\) was ended by SIGKILL in the middle of/);
      for (let tries = 0; isThere(plugin) && tries < 50; tries++) await sleep(20);
      assert.equal(isThere(plugin), false);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
