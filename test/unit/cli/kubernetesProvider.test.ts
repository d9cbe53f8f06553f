import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { KubernetesProvider } from "../../../engine/update/kubernetesProvider";

describe("the Kubernetes provider beside the engine", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-provider-"));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("can be closed before it reports its port", async () => {
    const program = path.join(folder, "pulumi-resource-kubernetes");
    writeFileSync(program, "#!/bin/sh\nexec sleep 30\n");
    chmodSync(program, 0o755);
    const strays: unknown[] = [];
    const stray = (error: unknown): void => void strays.push(error);
    // Mocha has a listener of its own, which would fail another test.
    const others = process.listeners("unhandledRejection");
    process.removeAllListeners("unhandledRejection").on("unhandledRejection", stray);
    try {
      const provider = await KubernetesProvider.start({ ...process.env, PATH: `${folder}:${process.env["PATH"]}` });
      assert.ok(provider);
      provider.close();
      await sleep(300);
    } finally {
      process.off("unhandledRejection", stray);
      for (const other of others) process.on("unhandledRejection", other);
    }
    assert.deepEqual(strays, []);
  });
});
