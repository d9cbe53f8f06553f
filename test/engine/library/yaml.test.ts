import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "../../../toolchain/root";
import { ensureTools } from "../../../toolchain/tools/ensure";
import { languageYaml } from "../../tools/languageYaml";
import { bundleFolder } from "../bundles/bundleFolder";
import { Project } from "../cli/project";
import { testYard } from "../runtime/yard";
import { newProject } from "./newProject";

describe("a program in YAML with components", function () {
  this.timeout(600_000); // The first time the language host is built.
  let project: Project;
  let kubeconfig: string;
  before(async () => {
    const place = await testYard();
    const { path: folders } = await ensureTools(projectRoot(), [languageYaml]);
    const PATH = [...folders, place.env["PATH"] ?? process.env["PATH"]].join(path.delimiter);
    project = new Project({ ...place, env: { ...place.env, PATH } });
    await newProject(project.folder, "shop");
    const page = readFileSync(path.join(projectRoot(), "docs", "components.md"), "utf8");
    const program = /^```yaml\n(# Pulumi\.yaml\n[^]*?)^```$/m.exec(page)?.[1] ?? "";
    writeFileSync(path.join(project.folder, "Pulumi.yaml"), program);
    const metadata = { name: "shop" };
    bundleFolder(project.folder, "shop", { apiVersion: "v1", kind: "ConfigMap", metadata, data: { text: "one" } });
    await project.must("pulumi", "stack", "init", "here", "--no-select");
    kubeconfig = readFileSync(place.kubeconfig, "utf8");
    await pulumi("config", "set", "--secret", "shop:kubeconfig", kubeconfig);
  });
  after(() => project.remove());

  const pulumi = (...args: string[]): Promise<string> => project.must("pulumi", ...args, "-s", "here");

  it("creates a Ray cluster and a bundle, changes and deletes them", async () => {
    await pulumi("up", "--yes", "--skip-preview");
    await pulumi("preview", "--expect-no-changes");
    const outputs = await pulumi("stack", "output", "--json");
    assert.match(outputs, /"address": "ray:\/\/main-ray-head-svc\.team-ray/);
    assert.match(outputs, /"digest": "sha256:/);
    const [, key = ""] = /client-key-data"?: "?([^\s"]+)/.exec(kubeconfig) ?? [];
    assert.ok(key !== "" && !(await pulumi("stack", "export")).includes(key), "the kubeconfig is plain in the state");
    await pulumi("config", "set", "shop:workers", "2");
    assert.match(await pulumi("up", "--yes", "--skip-preview"), /ManifestSet main-ray-main-objects updated/);
    await pulumi("destroy", "--yes", "--skip-preview");
    assert.doesNotMatch(await pulumi("stack", "export"), /stackyard:index/);
  });
});
