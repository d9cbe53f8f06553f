import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { parseLock } from "../../../components/charts/lock";
import { ChartRepository, packDouble, sha256 } from "../../doubles/chartRepository";
import { testYard } from "../runtime/yard";
import { Project } from "./project";

/** Not the tested one. */
const VERSION = "1.7.1";

describe("stackyard charts with a stack", () => {
  let project: Project;
  let repository: ChartRepository;
  let archive: Buffer;

  before(async () => {
    const place = await testYard();
    project = new Project(place);
    archive = await packDouble("kuberay-operator");
    repository = await new ChartRepository({ "kuberay-operator": archive }, "hunter2", {
      "kuberay-operator": VERSION,
    }).start();
    const spec = { namespace: "runtimes", host: "http://*.runtimes.localhost", image: "example/runtime" };
    await project.platform({
      cluster: { type: "existing", kubeconfig: { path: place.kubeconfig } },
      defaultProvisioner: "only",
      provisioners: { only: { type: "kubernetes", spec } },
    });
    const file = ["config", "set", "-s", "here", "--path"];
    await project.must("pulumi", ...file, "stackyard:charts.mirror", repository.url);
    await project.must("pulumi", ...file, "stackyard:charts.username", "reader");
    await project.must("pulumi", ...file, "--secret", "stackyard:charts.password", "hunter2");
    await project.must("pulumi", ...file, "stackyard:charts.lockFile", "here.lock.yaml");
    await project.must("pulumi", ...file, 'stackyard:charts.versions["kuberay-operator"]', VERSION);
    await project.must("pulumi", ...file, "stackyard:images.mirror", "registry.example.com/mirror");
  });
  after(async () => {
    await project.must("pulumi", "config", "rm", "-s", "here", "stackyard:charts");
    await project.remove();
    await repository.stop();
  });

  it("locks the stack's own chart versions from its private mirror in its lock file", async () => {
    const { code, stderr } = await project.stackyard("charts", "lock", "kuberay-operator", "--stack", "here");
    assert.equal(code, 0, stderr);
    const read = parseLock(readFileSync(path.join(project.folder, "here.lock.yaml"), "utf8"));
    assert.ok("lock" in read);
    assert.deepEqual(read.lock.charts["kuberay-operator"], { version: VERSION, digest: sha256(archive) });
  });

  it("locks by default only the charts that the stack uses", async () => {
    const { code, stderr } = await project.stackyard("charts", "lock", "--stack", "here", "--file", "used.lock.yaml");
    assert.equal(code, 0, stderr);
    assert.match(stderr, /here uses no upstream chart/);
    const key = ["-s", "here", "--path", "stackyard:ray.one.mode"];
    await project.must("pulumi", "config", "set", ...key, "kuberay");
    const used = await project.stackyard("charts", "lock", "--stack", "here", "--file", "used.lock.yaml");
    assert.equal(used.code, 0, used.stderr);
    const read = parseLock(readFileSync(path.join(project.folder, "used.lock.yaml"), "utf8"));
    assert.ok("lock" in read);
    assert.deepEqual(Object.keys(read.lock.charts), ["kuberay-operator"]);
    await project.must("pulumi", "config", "rm", "-s", "here", "stackyard:ray");
  });

  it("lists the images that the stack runs", async () => {
    const { code, stdout, stderr } = await project.stackyard("charts", "images", "here", "-o", "id");
    assert.equal(code, 0, stderr);
    assert.equal(stdout.trim(), "registry.example.com/mirror/example/runtime:<version of the deployment>");
    const all = await project.stackyard("charts", "images");
    assert.match(all.stdout, /jupyterhub +traefik +traefik:v3/);
  });
});
