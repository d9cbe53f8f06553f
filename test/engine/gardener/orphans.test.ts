import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import { textAt } from "../../../kubernetes/client/objects";
import { Gardener } from "../../doubles/gardener/gardener";
import { GCP } from "../../unit/gardener/clusters";
import { Project, type Ended } from "../cli/project";
import { testYard } from "../runtime/yard";

describe("a cluster from Gardener whose state is lost", () => {
  let gardener: Gardener;
  let project: Project;

  before(async () => {
    const name = `o${randomBytes(1).toString("hex")}`;
    gardener = await Gardener.start({ yard: process.env["STACKYARD_TEST_YARD"] ?? "", stepMs: 20, project: name });
    project = new Project(await testYard());
    await project.platform({
      defaultProvisioner: "garden",
      provisioners: {
        garden: {
          type: "gardener",
          spec: { project: name, kubeconfig: { content: gardener.kubeconfig }, secretBindings: { gcp: "gcp" } },
        },
      },
    });
    const cluster = { ...GCP, kubernetesVersion: "1.32.8", machineType: "n1-standard-4" };
    const file = path.join(project.folder, "acme.yaml");
    writeFileSync(file, JSON.stringify({ acme: { cluster } }));
    await well("up", "-f", file);
  });
  after(async () => {
    await project.remove();
    await gardener.stop();
  });

  const well = (...args: string[]): Promise<Ended> => project.runtime(...args);
  const refused = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await project.stackyard("runtime", ...args);
    assert.notEqual(code, 0, stdout + stderr);
    return stdout + stderr;
  };
  const orphans = async () => JSON.parse((await well("list", "--orphans", "-o", "json")).stdout) as object[];
  const loseState = (): void => {
    const backend = project.place.env["PULUMI_BACKEND_URL"]?.slice("file://".length) ?? "";
    const stacks = path.join(backend, ".pulumi", "stacks", "stackyard-runtime");
    for (const file of readdirSync(stacks).filter((name) => name.startsWith("acme.json")))
      rmSync(path.join(stacks, file));
    rmSync(project.stackFile("acme"), { force: true });
  };

  it("is none while its stack knows it, and check finds it well", async () => {
    assert.deepEqual(await orphans(), []);
    assert.match((await well("check", "--all")).stdout, /✓ acme/);
  });

  it("is shown, and adopted as it is", async () => {
    loseState();
    const before = await gardener.shoot("acme");
    const { uid, resourceVersion } = before?.metadata as unknown as Record<string, string>;
    const [orphan, ...others] = await orphans();
    assert.deepEqual(others, []);
    assert.equal(textAt(orphan, "shoot"), "acme");
    assert.match(await refused("check", "--all"), /orphan: no runtime has .*garden:\n\s+Shoot garden-.*\/acme with/);

    await well("adopt", "acme");
    const adopted = (await gardener.shoot("acme"))?.metadata as unknown as Record<string, string>;
    assert.deepEqual([adopted["uid"], adopted["resourceVersion"]], [uid, resourceVersion]);
    assert.deepEqual(await orphans(), []);
    assert.match((await well("up", "acme")).stderr, /acme is ready, nothing changed/);
    assert.match((await well("check", "acme")).stdout, /✓ acme/);
  });

  it("is removed only when it is named, and gone from Gardener then", async () => {
    loseState();
    assert.match(await refused("remove-orphan", "acme", "--yes"), /would delete whole clusters with their data/);
    assert.ok(await gardener.shoot("acme"));
    const named = `${gardener.namespace}/acme`;
    assert.match((await well("remove-orphan", "acme", "--yes", "--allow-data-loss", named)).stderr, /acme is gone/);
    assert.equal(await gardener.shoot("acme"), undefined);
    assert.deepEqual(await orphans(), []);
  });
});
