import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { version } from "../../../package.json";
import { pinned, withDigests } from "../../../toolchain/upgrade/baseImages";
import { buildPackage } from "../../../toolchain/release/package";
import { writeProvider } from "../../../toolchain/release/providers";
import { projectRoot } from "../../../toolchain/root";
import { ensureTools } from "../../../toolchain/tools/ensure";
import { TestRegistry } from "../bundles/registry";
import { helm } from "../../tools/helm";

const run = promisify(execFile);

describe("a release", function () {
  this.timeout(600_000);
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

  it("has base images by the digests that their registry has for the tags", async () => {
    const registry = await TestRegistry.start();
    try {
      const { digest } = await registry.image("library/node", "24", []);
      const image = `${registry.host}/library/node:24`;
      const found = await pinned(image);
      assert.deepEqual(found, { image, digest });
      assert.equal(withDigests(`ARG NODE_IMAGE=${image}\n`, [found]), `ARG NODE_IMAGE=${image}@${digest}\n`);
      assert.match((await pinned(`${registry.host}/library/node:25`)).reason ?? "", /404/);
    } finally {
      registry.stop();
    }
  });

  it("has the SDKs for Python and Go", async () => {
    const [script, schema] = ["toolchain/release/sdk.ts", "provider/package.schema.json"];
    await run(process.execPath, ["--import", "tsx", script, schema, folder], { cwd: projectRoot() });
    const listed = async (language: string): Promise<string> =>
      (await run("tar", ["-tzf", path.join(folder, `stackyard-sdk-${language}-${version}.tar.gz`)])).stdout;
    assert.match(await listed("python"), /^python\/pyproject\.toml$/m);
    assert.match(await listed("go"), /^go\/go\.mod$/m);
  });

  it("gives programs its schema from the folder and the executable of the npm package, and from its own address", async () => {
    const built = path.join(folder, "package");
    await buildPackage(projectRoot(), built);
    const archive = await writeProvider(built, process.execPath, "linux-amd64", folder);
    const name = `pulumi-resource-stackyard-v${version}-linux-amd64.tar.gz`;
    assert.equal(path.basename(archive), name);
    const address = createServer(({ url }, response) => {
      if (url === `/${name}`) response.end(readFileSync(archive));
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => address.listen(0, "127.0.0.1", resolve));
    const server = `http://127.0.0.1:${(address.address() as AddressInfo).port}`;
    const pulumi = (await run("sh", ["-c", "command -v pulumi"])).stdout.trim();
    const schemaOf = async (PATH: string, ...source: string[]): Promise<string> => {
      const env = { PATH, PULUMI_HOME: folder, HOME: folder };
      return (await run(pulumi, ["package", "get-schema", ...source], { cwd: folder, env, maxBuffer: 1e8 })).stdout;
    };
    try {
      const withNode = [path.dirname(process.execPath), "/usr/bin", "/bin"].join(path.delimiter);
      const schema = await schemaOf(withNode, "./package/provider");
      assert.ok("stackyard:index:RayCluster" in (JSON.parse(schema) as { resources: object }).resources);
      assert.equal(await schemaOf(withNode, "./package/provider/pulumi-resource-stackyard"), schema);
      // The executable of a release needs no Node.js and no npm package.
      const released = await schemaOf("/usr/bin:/bin", `stackyard@${version}`, "--server", server);
      assert.deepEqual(JSON.parse(released), { ...(JSON.parse(schema) as object), pluginDownloadURL: server });
    } finally {
      address.close();
    }
  });
});
