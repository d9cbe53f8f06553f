import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { projectRoot } from "../../../toolchain/root";
import { serve } from "../../unit/bundles/server";

describe("stackyard bundle, interrupted", () => {
  const folder = mkdtempSync(join(tmpdir(), "stackyard-interrupted-"));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("ends at once and leaves no temporary files with credentials", async () => {
    const site = await serve({ "/shop.git/info/refs": (_, response) => void response.writeHead(200).write("x") });
    const text = `sources: [{ type: git, repository: "${site.url}/shop.git", ref: { branch: main }, certificateData: { env: PEM } }]`;
    writeFileSync(join(folder, "sources.yaml"), text);
    const places = mkdtempSync(join(folder, "tmp-"));
    const env = { ...process.env, TMPDIR: places, PEM: "x", XDG_CACHE_HOME: join(folder, "cache") };
    const cli = join(projectRoot(), "cli/bin/stackyard");
    const child = spawn(process.execPath, [cli, "bundle", "inspect", "--file", join(folder, "sources.yaml")], { env });
    let words = "";
    child.stderr.on("data", (chunk: Buffer) => (words += chunk.toString()));
    try {
      while (site.asked.length === 0) await sleep(20);
      assert.equal(readdirSync(places).filter((name) => name.startsWith("stackyard-git-")).length, 1);
      child.kill("SIGINT");
      const [code] = (await once(child, "close")) as [number];
      assert.deepEqual(
        [code, words.trim()],
        [130, "interrupted; a second Ctrl-C stops at once\ninterrupted: nothing was being changed"],
      );
      assert.deepEqual(
        readdirSync(places).filter((name) => name.startsWith("stackyard-git-")),
        [],
      );
    } finally {
      child.kill("SIGKILL");
      site.close();
    }
  });
});
