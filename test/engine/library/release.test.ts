import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { version } from "../../../package.json";
import { buildPackage } from "../../../toolchain/release/package";
import { writeProvider } from "../../../toolchain/release/providers";
import { projectRoot } from "../../../toolchain/root";
import { ensureTools } from "../../../toolchain/tools/ensure";
import { TestRegistry } from "../bundles/registry";
import { helm } from "../../tools/helm";

const run = promisify(execFile);

describe("a release", function () {
  this.timeout(200_000);
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-release-"));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("has the chart of the service in a registry, with the image of the release", async () => {
    const { programs } = await ensureTools(projectRoot(), [helm]);
    const env = {
      PATH: [path.dirname(programs["helm"] ?? ""), process.env["PATH"]].join(path.delimiter),
      HOME: folder,
    };
    const registry = await TestRegistry.start();
    try {
      const image = `ghcr.io/acme/stackyard-service:${version}@sha256:${"a".repeat(64)}`;
      const repository = `oci://${registry.host}/charts`;
      const script = path.join(projectRoot(), "toolchain", "release", "chart.sh");
      await run(script, [version, image, repository, "--plain-http"], { env });
      const args = ["template", "service", `${repository}/service`, "--version", version, "--plain-http"];
      const { stdout } = await run("helm", args, { env });
      assert.equal(stdout.split(`image: "${image}"`).length, 3);
    } finally {
      registry.stop();
    }
  });

  it("has an executable of the provider that needs no Node.js and no npm package", async () => {
    const built = path.join(folder, "package");
    await buildPackage(projectRoot(), built);
    const archive = await writeProvider(built, process.execPath, "linux-amd64", folder);
    assert.equal(path.basename(archive), `pulumi-resource-stackyard-v${version}-linux-amd64.tar.gz`);
    const plugin = path.join(folder, "plugin");
    mkdirSync(plugin);
    await run("tar", ["-xzf", archive, "-C", plugin]);
    const pulumi = (await run("sh", ["-c", "command -v pulumi"])).stdout.trim();
    const provider = path.join(plugin, "pulumi-resource-stackyard");
    const { stdout } = await run(pulumi, ["package", "get-schema", provider], {
      cwd: folder,
      env: { PATH: "/usr/bin:/bin", PULUMI_HOME: folder, HOME: folder },
      maxBuffer: 1e8,
    });
    assert.ok("stackyard:index:RayCluster" in (JSON.parse(stdout) as { resources: object }).resources);
  });
});
