import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { placeCrds } from "../../../components/charts/fetchCharts";
import { packDouble } from "../../doubles/chartRepository";

describe("the CRDs of a chart", () => {
  let project: string;
  beforeEach(() => (project = mkdtempSync(join(tmpdir(), "stackyard-crds-"))));
  afterEach(() => rmSync(project, { recursive: true }));

  const placed = async (archive: Buffer) =>
    (await placeCrds("kuberay-operator", archive, project)) ?? assert.fail("there are none");

  it("are placed as a bundle of their own, at the same path on every machine", async () => {
    const archive = await packDouble("kuberay-operator");
    const { path, names } = await placed(archive);
    assert.match(path, /^\.\/node_modules\/\.cache\/.*kuberay-operator-crds-[0-9a-f]{12}$/);
    assert.deepEqual(names, ["rayclusters.ray.io"]);
    assert.deepEqual(readdirSync(join(project, path)), ["manifests"]);
    assert.deepEqual(readdirSync(join(project, path, "manifests")), ["rayclusters.yaml"]);
    assert.deepEqual(await placeCrds("kuberay-operator", archive, project), { path, names });
  });

  it("are restored from the archive if their files were changed", async () => {
    const archive = await packDouble("kuberay-operator");
    const { path } = await placed(archive);
    const file = join(project, path, "manifests", "rayclusters.yaml");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, "something: else");
    await placeCrds("kuberay-operator", archive, project);
    assert.equal(readFileSync(file, "utf8"), text);
  });

  it("are not placed if the chart has none", async () => {
    assert.equal(await placeCrds("jupyterhub", await packDouble("jupyterhub"), project), undefined);
    assert.equal(await placeCrds("kuberay-operator", Buffer.from("no archive"), project), undefined);
  });
});
