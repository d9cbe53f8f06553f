import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { unlock } from "../../../engine/stack/unlock";

describe("the lock of a platform stack", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-unlock-"));
  const backend = process.env.PULUMI_BACKEND_URL;
  const stack = { project: "stackyard", stack: "dev", folder };
  const lock = (pid: number, host: string): void => {
    const locks = path.join(folder, ".pulumi", "locks", "organization", "stackyard", "dev");
    mkdirSync(locks, { recursive: true });
    const content = { pid, username: "ann", hostname: host, timestamp: "2026-01-01T00:00:00Z" };
    writeFileSync(path.join(locks, "1.json"), JSON.stringify(content));
  };

  before(() => void (process.env.PULUMI_BACKEND_URL = `file://${folder}`));
  after(() => {
    if (backend === undefined) delete process.env.PULUMI_BACKEND_URL;
    else process.env.PULUMI_BACKEND_URL = backend;
    rmSync(folder, { recursive: true });
  });

  it("is no trouble where there is none", async () => {
    await unlock(stack, () => assert.fail("nothing is to be said"));
  });

  it("is respected while its holder may work, who is named", async () => {
    lock(7, "elsewhere.example");
    const message =
      /another process is working on stack dev: pid 7 of ann on elsewhere\.example, since .*"pulumi cancel dev"/;
    await assert.rejects(
      unlock(stack, () => undefined),
      { name: "Failure", message },
    );
  });
});
