import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { createStack, forgetIfEmpty } from "../../../cli/runtime/create";

describe("a new runtime's stack for which nothing was made", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-create-"));
  const backend = process.env.PULUMI_BACKEND_URL;

  before(() => {
    process.env.PULUMI_BACKEND_URL = `file://${folder}`;
    mkdirSync(path.join(folder, ".pulumi"));
    writeFileSync(path.join(folder, ".pulumi", "meta.yaml"), "version: 1\n");
  });
  after(() => {
    if (backend === undefined) delete process.env.PULUMI_BACKEND_URL;
    else process.env.PULUMI_BACKEND_URL = backend;
    rmSync(folder, { recursive: true });
  });

  it("stays while somebody else works on it, who is about to make something", async () => {
    await createStack("acme", folder);
    const locks = path.join(folder, ".pulumi", "locks", "organization", "stackyard-runtime", "acme");
    mkdirSync(locks, { recursive: true });
    const lock = { pid: 1, username: "ann", hostname: "laptop", timestamp: "2026-01-01T00:00:00Z" };
    writeFileSync(path.join(locks, "1.json"), JSON.stringify(lock));
    await forgetIfEmpty("acme", folder, false);
    assert.ok(existsSync(path.join(folder, ".pulumi", "stacks", "stackyard-runtime", "acme.json")));
  });
});
