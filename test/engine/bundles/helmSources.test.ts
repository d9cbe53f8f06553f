import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { projectRoot } from "../../../toolchain/root";
import { tgzOf } from "../../unit/bundles/archives";
import { temporaryFolder, write } from "../../unit/bundles/samples";
import { serve } from "../../unit/bundles/server";
import { CHART, map } from "./charts";
import { digestOf, TestRegistry } from "./registry";

const run = promisify(execFile);
const COMMAND = join(projectRoot(), "cli", "bin", "stackyard");

describe("a Helm chart on the command line", () => {
  const folder = temporaryFolder();
  const files = { "Chart.yaml": CHART, "templates/a.yaml": map("a", "{{ .Values.x | quote }}") };
  const packed = tgzOf(Object.entries(files).map(([path, content]) => ({ path: `shop/${path}`, content })));
  const env = () => ({ ...process.env, TMPDIR: join(folder(), "tmp"), DOCKER_CONFIG: folder() });
  const inspect = async (...args: string[]): Promise<{ format: string; digest: string; objects: object[] }> => {
    const { stdout } = await run(COMMAND, ["bundle", "inspect", "--json", ...args], { env: env() });
    return JSON.parse(stdout) as { format: string; digest: string; objects: object[] };
  };
  before(async () => {
    await write(folder(), { "tmp/.keep": "", "values.yaml": "x: one\n" });
  });

  it("renders the same from a folder, an archive, a web server and a registry, and is detected as Helm", async () => {
    const chart = await write(join(folder(), "chart"), files);
    const archive = join(await write(folder(), { "shop-1.0.0.tgz": packed }), "shop-1.0.0.tgz");
    const site = await serve({ "/shop-1.0.0.tgz": packed });
    const registry = await TestRegistry.start();
    try {
      const config = Buffer.from('{"name":"shop","version":"1.0.0","apiVersion":"v2"}');
      const described = async (bytes: Buffer, type: string) => ({
        mediaType: `application/vnd.cncf.helm.${type}`,
        digest: await registry.blob("charts/shop", bytes),
        size: bytes.length,
      });
      assert.equal((await described(packed, "chart.content.v1.tar+gzip")).digest, digestOf(packed));
      await registry.manifest("charts/shop", "1.0.0", {
        schemaVersion: 2,
        mediaType: "application/vnd.oci.image.manifest.v1+json",
        config: await described(config, "config.v1+json"),
        layers: [await described(packed, "chart.content.v1.tar+gzip")],
      } as { mediaType: string });
      const sources = [chart, archive, `${site.url}/shop-1.0.0.tgz`, `oci://${registry.host}/charts/shop:1.0.0`];
      const found = await Promise.all(
        sources.map((source) => inspect(source, "--values", join(folder(), "values.yaml"))),
      );
      const [first] = found;
      assert.equal(first?.format, "helm");
      for (const each of found) assert.deepEqual([each.digest, each.objects], [first.digest, first.objects]);
    } finally {
      registry.stop();
      site.close();
    }
  });

  it("fails above its memory limit and leaves no temporary files, even when it is killed", async () => {
    const bomb = await write(join(folder(), "bomb"), {
      "Chart.yaml": CHART,
      "templates/a.yaml": '{{ repeat 2000000000 "xxxx" | len }}',
    });
    await assert.rejects(run(COMMAND, ["bundle", "inspect", bomb], { env: env() }), (error) => {
      assert.match(
        (error as { stderr: string }).stderr,
        /the chart can't be rendered: its engine ended, perhaps because it needed more memory/,
      );
      return true;
    });
    const inner = "{{ range until 5000 }}{{ $x := sha256sum (toString .) }}{{ end }}";
    const slow = await write(join(folder(), "slow"), {
      "Chart.yaml": CHART,
      "templates/a.yaml": `{{ range until 100000 }}${inner}{{ end }}`,
    });
    const left = (): string[] =>
      readdirSync(join(folder(), "tmp")).filter((name) => name.startsWith("stackyard-render-"));
    const until = async (isSo: () => boolean): Promise<void> => {
      for (let tries = 0; !isSo(); tries++) {
        assert.ok(tries < 200, `still there: ${left().join(", ")}`);
        await sleep(50);
      }
    };
    const child = spawn(COMMAND, ["bundle", "inspect", slow], { env: env(), stdio: "ignore" });
    await until(() => left().length === 1);
    await sleep(500);
    child.kill("SIGKILL");
    await until(() => left().length === 0);
  });
});
