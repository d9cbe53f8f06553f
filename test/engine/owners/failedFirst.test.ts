import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { ChartRepository, packDouble } from "../../doubles/chartRepository";
import { Project, type Ended } from "../cli/project";
import { kubernetesProvisioner } from "../runtime/provisioner";
import { testYard } from "../runtime/yard";

const CHART = "nvidia-device-plugin";

interface Exported {
  readonly deployment: { readonly resources: { readonly type: string; outputs?: object }[] };
}

describe("a platform whose first update failed", () => {
  let project: Project;
  let repository: ChartRepository;
  before(async () => {
    project = new Project(await testYard());
    repository = await new ChartRepository({ [CHART]: await packDouble(CHART) }).start();
  });
  after(async () => {
    await project.remove();
    await repository.stop();
  });

  /** As after an update that failed when it had created its first resource: resources, but no outputs. */
  async function withoutOutputs(pulumi: (...args: string[]) => Promise<Ended>, stack: string): Promise<void> {
    const exported = await pulumi("stack", "export", "-s", stack);
    const state = JSON.parse(exported.stdout) as Exported;
    for (const resource of state.deployment.resources) {
      if (resource.type === "pulumi:pulumi:Stack") delete resource.outputs;
    }
    const file = path.join(project.folder, "state.json");
    writeFileSync(file, JSON.stringify(state));
    const { code, stderr } = await pulumi("stack", "import", "-s", stack, "--file", file);
    assert.equal(code, 0, stderr);
  }

  it("has its own Helm releases in the preview of the next update", async () => {
    await project.platform({
      cluster: { type: "existing", kubeconfig: { path: project.place.kubeconfig } },
      charts: { mirror: repository.url },
      defaultProvisioner: "one",
      provisioners: { one: kubernetesProvisioner("failed-first") },
      gpuDevicePlugin: { enabled: true },
    });
    await withoutOutputs((...args) => project.hand(...args), "here");
    const { code, stdout, stderr } = await project.hand("preview", "-s", "here", "--expect-no-changes");
    assert.equal(code, 0, stdout + stderr);
  });

  it("has a runtime whose plain preview knows its place after such an update too", async () => {
    await project.must("pulumi", "up", "-s", "here", "--yes", "--skip-preview");
    await project.runtime("up", "acme", "--version", "1");
    await withoutOutputs((...args) => project.pulumi(...args), "acme");
    const { code, stdout, stderr } = await project.pulumi("preview", "-s", "acme", "--expect-no-changes");
    assert.equal(code, 0, stdout + stderr);
  });
});
