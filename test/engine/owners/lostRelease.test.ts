import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { projectRoot } from "../../../toolchain/root";
import { ensureTools } from "../../../toolchain/tools/ensure";
import { connect } from "../../../kubernetes/connect/connect";
import type { Client } from "../../../kubernetes/client/client";
import { ChartRepository, packDouble } from "../../doubles/chartRepository";
import { helm as tool } from "../../tools/helm";
import { Project } from "../cli/project";
import { kubernetesProvisioner } from "../runtime/provisioner";
import { testYard } from "../runtime/yard";
import { liveObjects } from "./live";

const CHART = "nvidia-device-plugin";

describe("a Helm release that somebody changes by hand", function () {
  this.timeout(120_000);
  let project: Project;
  let client: Client;
  let repository: ChartRepository;

  const config = (cpu = 1): Record<string, unknown> => ({
    cluster: { type: "existing", kubeconfig: { path: project.place.kubeconfig } },
    charts: { mirror: repository.url },
    defaultProvisioner: "one",
    provisioners: { one: kubernetesProvisioner("lost-release") },
    gpuDevicePlugin: { enabled: true, values: { resources: { limits: { cpu } } } },
  });
  before(async () => {
    const place = await testYard();
    client = connect(readFileSync(place.kubeconfig, "utf8"), undefined, {});
    repository = await new ChartRepository({ [CHART]: await packDouble(CHART) }).start();
    project = new Project(place);
    await project.platform(config());
  });
  after(async () => {
    await project.remove();
    await repository.stop();
    await client.remove({ apiVersion: "v1", kind: "Namespace", name: "lost-release" });
  });

  const must = async (verb: string, ...more: string[]): Promise<string> => {
    const { code, text } = await project.verb(verb, ...more);
    assert.equal(code, 0, text);
    return text;
  };
  const helm = async (...args: string[]): Promise<void> => {
    const { programs } = await ensureTools(projectRoot(), [tool]);
    const at = ["--kubeconfig", project.place.kubeconfig, "--namespace", "kube-system"];
    const { code, stderr } = await project.run(programs["helm"] ?? "", ...args, ...at).ended;
    assert.equal(code, 0, stderr);
  };
  const installed = () => liveObjects(client, "kube-system", [["apps/v1", "DaemonSet"]]);

  it("is named by preview and update after a rollback, which a refresh and an update take back", async () => {
    project.describe(config(2));
    await must("up");
    await helm("rollback", CHART, "1");
    for (const verb of ["preview", "up"]) {
      assert.match(
        await must(verb),
        /Helm release kube-system\/nvidia-device-plugin has revision 3, and this stack has installed revision 2[^]*pulumi refresh --stack here[^]*pulumi up --stack here/,
      );
    }
    await must("refresh");
    await must("up");
    assert.doesNotMatch(await must("preview", "--expect-no-changes"), /has revision/);
  });

  it("is never unchanged when it is gone, and is installed again after a refresh", async () => {
    await helm("uninstall", CHART, "--wait");
    for (const verb of ["preview", "up"]) {
      const { code, text } = await project.verb(verb);
      assert.notEqual(code, 0, text);
      assert.match(
        text,
        /stackyard:gpuDevicePlugin: Helm release nvidia-device-plugin in namespace kube-system is gone[^]*pulumi refresh --stack here/,
      );
    }
    await must("refresh");
    await must("up");
    assert.equal((await installed()).length, 1);
    await must("preview", "--expect-no-changes");
  });

  it("is named before a destroy deletes anything when it is gone, and the stack is destroyed after a refresh", async () => {
    await helm("uninstall", CHART, "--wait");
    const { code, text } = await project.verb("destroy");
    assert.notEqual(code, 0, text);
    assert.match(text, /Helm release kube-system\/nvidia-device-plugin is gone[^]*pulumi refresh --stack here/);
    assert.doesNotMatch(text, /deleted \(|release: not found/);
    await must("destroy", "--refresh");
  });
});
