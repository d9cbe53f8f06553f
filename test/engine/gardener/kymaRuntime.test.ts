import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { connect } from "../../../kubernetes/connect/connect";
import type { Client } from "../../../kubernetes/client/client";
import { textAt } from "../../../kubernetes/objects/objects";
import { DirectorDouble } from "../../doubles/director/director";
import { Gardener } from "../../doubles/gardener/gardener";
import { AgentDouble, CONNECTIONS } from "../../doubles/kyma/agent";
import { GCP } from "../../unit/gardener/clusters";
import { World } from "../runtime/world";
import { testYard } from "../runtime/yard";
import { secure } from "../../tools/warmPulumi/stackFile";

/** A module of Kyma, as a folder of manifests. */
function moduleFolder(name: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), "kyma-module-"));
  mkdirSync(path.join(folder, "manifests"));
  const module = { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { module: name } };
  writeFileSync(path.join(folder, "manifests", "module.yaml"), JSON.stringify(module));
  return folder;
}

describe("a runtime on Gardener with Kyma and a Director", () => {
  const id = randomBytes(1).toString("hex");
  const folder = moduleFolder(`istio-${id}`);
  const agentFolder = moduleFolder(`agent-${id}`);
  let gardener: Gardener;
  let director: DirectorDouble;
  let agent: AgentDouble;
  let client: Client;
  let world: World;

  before(async () => {
    const yard = process.env["STACKYARD_TEST_YARD"] ?? "";
    client = connect(readFileSync(path.join(yard, "kubeconfig"), "utf8"), undefined, {});
    gardener = await Gardener.start({ yard, stepMs: 20, project: `k${id}` });
    director = new DirectorDouble();
    await director.listen();
    await client.apply(CONNECTIONS);
    agent = new AgentDouble(client, "compass-system", ["Synchronized"]);
    world = new World(await testYard());
    const { url, tokenUrl, clientId, clientSecret } = director.access;
    const istio = { namespace: "default", sources: [{ type: "local", path: folder }] };
    // The agent is played.
    const modules = { istio, "compass-runtime-agent": { ...istio, sources: [{ type: "local", path: agentFolder }] } };
    await world.configurePlatform({
      defaultProvisioner: "garden",
      provisioners: {
        garden: gardener.provisioner({
          defaults: { ...GCP, kubernetesVersion: "1.32.8", machineType: "n1-standard-4" },
          kyma: { versions: { "2.20.0": { modules } } },
          director: { url, tokenUrl, clientId, clientSecret: secure(clientSecret) },
        }),
      },
    });
    await world.must("platform", "up", "-s", world.tag, "--yes", "--skip-preview");
  });
  after(async () => {
    await agent.stop();
    await director.close();
    await gardener.stop();
    for (const each of [folder, agentFolder]) rmSync(each, { recursive: true });
    await client.remove({
      apiVersion: "compass.kyma-project.io/v1alpha1",
      kind: "CompassConnection",
      name: "compass-connection",
    });
    await client.remove({ apiVersion: "v1", kind: "Namespace", name: "compass-system" });
  });

  const module = () => client.get({ apiVersion: "v1", kind: "ConfigMap", namespace: "default", name: `istio-${id}` });
  const registered = () => [...director.runtimes.values()][0];

  it("is registered, gets its modules, is connected, and is unregistered with its cluster", async () => {
    await world.deployment("kyma", {
      cluster: { tenant: "tenant-1" },
      kyma: { version: "2.20.0" },
      runtime: { name: `kyma-${id}` },
    });
    const outputs = await world.outputs("kyma");
    assert.equal(outputs["agentConnection"], "Connected");
    assert.equal(textAt(await module(), "data", "module"), `istio-${id}`);
    assert.equal(registered()?.name, `kyma-${id}`);
    assert.equal(registered()?.status.condition, "CONNECTED");
    assert.equal(registered()?.labels["gardenerClusterName"], "kyma");
    const state = await world.state("kyma");
    for (const secret of [director.client.secret, agent.tried[0] ?? ""])
      assert.ok(!state.includes(secret), "a secret is in the state");
    assert.ok((await world.isSettled("kyma")).ok);
    await world.destroy("kyma");
    assert.equal(await gardener.shoot("kyma"), undefined);
    assert.equal(director.runtimes.size, 0);
  });
});
