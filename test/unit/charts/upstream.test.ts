import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fetchArchive } from "../../../components/charts/fetch/fetch";
import { CHART_NAMES, CHARTS } from "../../../components/charts/table";
import { catalogOf, realCharts } from "../../upstream/charts";
import { EKS_ONLY } from "../../upstream/values";
import { MODES } from "../../upstream/platforms";

const doubles = path.join(__dirname, "../../doubles/charts");

describe("the folder of make upstream", () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), "stackyard-upstream-"))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it("provides archives of the tested version or folders of any version, and lists missing charts", async () => {
    const given = path.join(folder, "given");
    cpSync(path.join(doubles, "jupyterhub"), path.join(given, "jupyterhub"), { recursive: true });
    writeFileSync(path.join(given, "jupyterhub/Chart.yaml"), "apiVersion: v2\nname: jupyterhub\nversion: 9.9.9\n");
    const { version } = CHARTS["external-dns"];
    writeFileSync(path.join(given, `external-dns-${version}.tgz`), "archive");
    const { mirror, charts, missing } = await realCharts(given, path.join(folder, "mirror"));
    assert.deepEqual(charts, [
      { name: "jupyterhub", version: "9.9.9" },
      { name: "external-dns", version },
    ]);
    assert.equal(Object.keys(missing).length, CHART_NAMES.length - 2);
    assert.match(
      missing["cert-manager"] ?? "",
      /given has neither cert-manager-v\S+\.tgz nor the folder cert-manager$/,
    );
    assert.deepEqual(readdirSync(mirror).toSorted(), [`external-dns-${version}.tgz`, "jupyterhub-9.9.9.tgz"]);
    const again = await fetchArchive("jupyterhub", { mirror, versions: { jupyterhub: "9.9.9" } }, "/");
    assert.equal(again.readUInt16BE(0), 0x1f8b);
  });

  it("may have bundles at any depth of catalog/", () => {
    assert.deepEqual(catalogOf(folder), []);
    for (const one of ["catalog/a/1.0.0/manifests", "catalog/b/templates", "catalog/c"])
      mkdirSync(path.join(folder, one), { recursive: true });
    writeFileSync(path.join(folder, "catalog/b/Chart.yaml"), "name: b\n");
    assert.deepEqual(catalogOf(folder), [path.join(folder, "catalog/a/1.0.0"), path.join(folder, "catalog/b")]);
  });
});

describe("make upstream", () => {
  it("tests every chart that the platform installs", () => {
    const tried = new Set([...Object.keys(EKS_ONLY), ...MODES.map(({ chart }) => chart)]);
    assert.deepEqual([...tried].toSorted(), [...CHART_NAMES].toSorted());
  });
});
