import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "../../../toolchain/root";
import { bundleFolder } from "../bundles/bundleFolder";
import { Project } from "../cli/project";
import { kubernetesProvisioner } from "../runtime/provisioner";
import { testYard } from "../runtime/yard";
import { newProject } from "./newProject";

describe("a repository of its own with the npm package", () => {
  let project: Project;
  before(async () => {
    project = new Project(await testYard());
    await newProject(project.folder, "stackyard");
    const page = readFileSync(path.join(projectRoot(), "docs", "library.md"), "utf8");
    const [, program = ""] = /^```js\n(\/\/ index\.js\n[^]*?)^```$/m.exec(page) ?? [];
    writeFileSync(path.join(project.folder, "index.js"), program);
  });
  after(() => project.remove());

  it("has the platform of its stack files, with runtimes", async () => {
    const source = bundleFolder(project.folder, "shop", {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "shop" },
    });
    await project.platform({
      cluster: { type: "existing", kubeconfig: { path: project.place.kubeconfig } },
      defaultProvisioner: "own",
      provisioners: { own: kubernetesProvisioner("own-repository") },
      ray: { own: { mode: "static", createNamespace: true, namespace: "own-ray", pool: "", reservedCpu: 0 } },
      bundles: { shop: { versions: { "1.0.0": { sources: [source] } } } },
      instances: { shop: { bundle: "shop", namespace: "own-shop", createNamespace: true } },
    });
    await project.must("pulumi", "preview", "-s", "here", "--expect-no-changes");
    await project.runtime("up", "acme", "--version", "1", "--slots", "1");
    const { stdout } = await project.runtime("list", "--json");
    assert.match(stdout, /"provisioner": "own"/);
  });

  it("names every fault of a stack file", async () => {
    const { code, stdout, stderr } = await project.hand("preview", "-s", "here", "-c", "stackyard:rai={}");
    assert.notEqual(code, 0);
    assert.match(stdout + stderr, /stackyard:rai: found an unknown key; .*; did you mean ray$/m);
  });
});
