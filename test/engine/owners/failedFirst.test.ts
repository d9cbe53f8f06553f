import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { ChartRepository, packDouble } from "../../doubles/chartRepository";
import { Project } from "../cli/project";
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

  it("has its own Helm releases in the preview of the next update", async () => {
    await project.platform({
      cluster: { type: "existing", kubeconfig: { path: project.place.kubeconfig } },
      charts: { mirror: repository.url },
      defaultProvisioner: "one",
      provisioners: { one: kubernetesProvisioner("failed-first") },
      gpuDevicePlugin: { enabled: true },
    });
    // As after an update that failed when it had created the release: resources, but no outputs.
    const state = JSON.parse(await project.must("pulumi", "stack", "export", "-s", "here")) as Exported;
    for (const resource of state.deployment.resources) {
      if (resource.type === "pulumi:pulumi:Stack") delete resource.outputs;
    }
    const file = path.join(project.folder, "state.json");
    writeFileSync(file, JSON.stringify(state));
    await project.must("pulumi", "stack", "import", "-s", "here", "--file", file);
    const { code, stdout, stderr } = await project.hand("preview", "-s", "here", "--expect-no-changes");
    assert.equal(code, 0, stdout + stderr);
  });
});
