import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fetchCharts, ChartCache } from "../../../components/charts/fetchCharts";
import { imagesOf } from "../../../components/platform/facts";
import { imageValues } from "../../../components/charts/images";
import { operatorValues } from "../../../components/ray/operator/plan";
import { ChartRepository, sha256 } from "../../doubles/chartRepository";
import { decode, GOOD, linesOf } from "../config/fixtures";

const hub = { ...GOOD, jupyterhub: { auth: { type: "dummy" } }, ray: { one: { mode: "kuberay" } } };
const asking = (versions: object, more: object = {}) => ({ ...hub, charts: { versions }, ...more });

describe("the version of a chart", () => {
  it("is the tested one, or a configured one with a warning", () => {
    assert.deepEqual(decode(hub, { stack: "dev" }).warnings, []);
    const { warnings, charts } = decode(asking({ jupyterhub: "4.5.0-beta.1" }), { stack: "dev" });
    assert.match(warnings.join(), /charts\.versions\.jupyterhub: found 4\.5\.0-beta\.1; only 4\.4\.0 is tested/);
    assert.equal(charts.versions?.jupyterhub, "4.5.0-beta.1");
    assert.deepEqual(decode(asking({ jupyterhub: "4.4.0" }), { stack: "dev" }).warnings, []);
    assert.deepEqual(decode({ ...GOOD, charts: { versions: { jupyterhub: "4.5.0" } } }).warnings, []);
  });

  it("must be exact, and of a chart that the platform knows", () => {
    const faults = (versions: object) => linesOf(asking(versions), { stack: "dev" }).join();
    for (const version of ["latest", "4", "4.x", "^4.4.0", ">=4.4.0"]) {
      assert.match(faults({ jupyterhub: version }), /charts\.versions\.jupyterhub: .*an exact version such as 4\.4\.0/);
    }
    assert.match(faults({ jupiterhub: "4.4.0" }), /found an unknown key; .*did you mean jupyterhub/);
  });

  it("is fetched and compared with the digest of this version", async () => {
    const folder = mkdtempSync(join(tmpdir(), "stackyard-versions-"));
    const archive = Buffer.from("what is in the archive");
    const versions = { "cluster-autoscaler": "9.60.0" };
    const repository = await new ChartRepository({ "cluster-autoscaler": archive }, undefined, versions).start();
    try {
      const fetch = (digest: string) =>
        fetchCharts(
          {
            mirror: repository.url,
            versions,
            lockRequired: true,
            lock: {
              "cluster-autoscaler": [
                { version: "9.59.0", digest: sha256("tested") },
                { version: "9.60.0", digest },
              ],
            },
            lockFile: "charts.lock.yaml",
            wanted: [
              {
                chart: "cluster-autoscaler",
                component: "clusterAutoscaler",
                token: "ClusterAutoscaler",
                optional: false,
              },
            ],
          },
          folder,
          new ChartCache(join(folder, "cache")),
        );
      await assert.rejects(fetch(sha256("other")), /the chart cluster-autoscaler 9\.60\.0 .* has the digest/);
      const { archives } = await fetch(sha256(archive));
      assert.match(archives["cluster-autoscaler"] ?? "", /cluster-autoscaler-9\.60\.0-/);
      assert.deepEqual(readFileSync(join(folder, archives["cluster-autoscaler"]!)), archive);
    } finally {
      await repository.stop();
      rmSync(folder, { recursive: true });
    }
  });

  it("leaves unknown image tags to the chart", () => {
    const config = decode(
      asking({ jupyterhub: "4.5.0", "kuberay-operator": "1.8.0" }, { images: { mirror: "r.example.com" } }),
      {
        stack: "dev",
      },
    );
    const images = imagesOf(config).map(({ role, image }) => `${role} ${image}`);
    assert.ok(images.includes("hub r.example.com/jupyterhub/k8s-hub:<of the chart 4.5.0>"), images.join("\n"));
    assert.ok(images.includes("operator r.example.com/kuberay/operator:v1.8.0"), images.join("\n"));
    assert.ok(
      !JSON.stringify(imageValues("jupyterhub", { mirror: "r.example.com" }, { jupyterhub: "4.5.0" })).includes("tag"),
    );
    assert.equal((operatorValues(config.rayOperator)["image"] as { tag: string }).tag, "v1.8.0");
  });
});
