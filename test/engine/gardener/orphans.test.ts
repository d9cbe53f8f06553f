import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import { parse } from "yaml";
import { signalAll } from "../../../engine/process/processTree";
import { textAt, type KubeObject } from "../../../kubernetes/objects/objects";
import { forVersion } from "../../../kubernetes/gardener/versionFields";
import { recordOn } from "../../../kubernetes/owners/annotations";
import { exampleShoot } from "../../doubles/gardener/exampleShoot";
import { Gardener } from "../../doubles/gardener/gardener";
import { GCP } from "../../unit/gardener/clusters";
import { DirectorDouble } from "../../doubles/director/director";
import { until } from "../cli/held";
import { newMark, processesWith } from "../cli/marked";
import { Project, type Ended } from "../cli/project";
import { testYard } from "../runtime/yard";

const CLUSTER = { ...GCP, kubernetesVersion: "1.32.8", machineType: "n1-standard-4" };

describe("a Gardener cluster without its state or created outside of stackyard", () => {
  let gardener: Gardener;
  let project: Project;
  /** Directors of two provisioners. */
  const [left, right] = [new DirectorDouble(), new DirectorDouble()];
  /** Every process that a command starts has this in its environment. */
  const mark = newMark();
  /** A file that asks for one deployment. */
  const fileOf = (id: string, asked: object): string => {
    const file = path.join(project.folder, `${id}.yaml`);
    writeFileSync(file, JSON.stringify({ [id]: asked }));
    return file;
  };

  before(async () => {
    const name = `o${randomBytes(1).toString("hex")}`;
    gardener = await Gardener.start({ yard: process.env["STACKYARD_TEST_YARD"] ?? "", stepMs: 20, project: name });
    for (const director of [left, right]) {
      director.tenants.add("account-1");
      await director.listen();
    }
    const place = await testYard();
    project = new Project({ ...place, env: { ...place.env, ...Object.fromEntries([mark]) } });
    const spec = { project: name, kubeconfig: { content: gardener.kubeconfig }, secretBindings: { gcp: "gcp" } };
    const withDirector = ({ url, tokenUrl, client: { id: clientId } }: DirectorDouble) => ({
      type: "gardener",
      spec: { ...spec, director: { url, tokenUrl, clientId } },
    });
    const provisioners = { garden: { type: "gardener", spec }, left: withDirector(left), right: withDirector(right) };
    const secrets = Object.fromEntries(
      Object.entries({ left, right }).map(([key, { client }]) => [
        `provisioners.${key}.spec.director.clientSecret`,
        client.secret,
      ]),
    );
    await project.platform({ defaultProvisioner: "garden", provisioners }, secrets);
    await well("up", "-f", fileOf("acme", { cluster: CLUSTER }));
  });
  after(async () => {
    await project.remove();
    await gardener.stop();
    for (const director of [left, right]) await director.close();
  });

  const well = (...args: string[]): Promise<Ended> => project.runtime(...args);
  const refused = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await project.stackyard("runtime", ...args);
    assert.notEqual(code, 0, stdout + stderr);
    return stdout + stderr;
  };
  const orphans = async () => JSON.parse((await well("list", "--orphans", "-o", "json")).stdout) as object[];
  const clusterIn = (file: string): object => {
    const { config } = parse(readFileSync(file, "utf8")) as { config: Record<string, { cluster: object }> };
    return config["stackyard-runtime:deployment"]?.cluster ?? assert.fail(`${file} has no cluster`);
  };
  const specAndAnnotations = (shoot: KubeObject | undefined) => [shoot?.["spec"], shoot?.metadata.annotations];
  const loseState = (id = "acme"): void => {
    const backend = project.place.env["PULUMI_BACKEND_URL"]?.slice("file://".length) ?? "";
    const stacks = path.join(backend, ".pulumi", "stacks", "stackyard-runtime");
    for (const file of readdirSync(stacks).filter((name) => name.startsWith(`${id}.json`)))
      rmSync(path.join(stacks, file));
    rmSync(project.stackFile(id), { force: true });
  };

  it("is not an orphan while its stack has it, and passes the check", async () => {
    assert.deepEqual(await orphans(), []);
    assert.match((await well("check", "--all")).stdout, /✓ acme/);
  });

  it("is listed and adopted unchanged", async () => {
    loseState();
    const before = await gardener.shoot("acme");
    const { uid, generation } = before?.metadata as unknown as Record<string, string>;
    const [orphan, ...others] = await orphans();
    assert.deepEqual(others, []);
    assert.equal(textAt(orphan, "shoot"), "acme");
    assert.match(await refused("check", "--all"), /orphan: no runtime has .*garden:\n\s+Shoot garden-.*\/acme with/);

    await well("adopt", "acme", "--yes");
    const adopted = await gardener.shoot("acme");
    assert.deepEqual([adopted?.metadata.uid, adopted?.metadata.generation], [uid, generation]);
    assert.deepEqual(adopted?.["spec"], before?.["spec"]);
    const generations = [before, adopted].map((shoot) => (shoot ? (recordOn(shoot)?.generation ?? 0) : 0));
    assert.ok(generations[1]! > generations[0]!);
    assert.deepEqual(await orphans(), []);
    assert.match((await well("up", "acme")).stderr, /acme is ready, nothing changed/);
    assert.match((await well("check", "acme")).stdout, /✓ acme/);
  });

  it("is imported without a change of the cluster; updates change only requested fields", async () => {
    const { garden, namespace } = gardener;
    const kubelet = { kubelet: { maxPods: 200 } };
    const theirs = exampleShoot(namespace, "theirs", { kubernetes: { version: "1.32.8", ...kubelet } });
    await garden.apply(theirs);
    await gardener.until("theirs", (shoot) => textAt(shoot, "status", "lastOperation", "state") === "Succeeded");
    const before = await gardener.shoot("theirs");
    assert.match(
      await refused("import", "legacy", "--shoot", "their", "--provisioner", "garden"),
      /found no Shoot .*\/their of .*did you mean theirs\?/,
    );
    assert.match(
      await refused("import", "legacy", "--shoot", "acme", "--provisioner", "garden"),
      /is of deployment acme on platform/,
    );
    const dry = (await well("import", "legacy", "--shoot", "theirs", "--provisioner", "garden", "--dry-run")).stderr;
    assert.match(dry, /spec\.extensions: nothing; the settings would make it .*\n[^]*nothing was imported/);
    assert.match(await refused("status", "legacy"), /there is no runtime legacy/);
    assert.match(
      await refused("import", "legacy", "--shoot", "theirs"),
      /found nothing; expected one of type gardener: garden, left, right/,
    );

    assert.match(
      (await well("import", "legacy", "--shoot", "theirs", "--provisioner", "garden")).stderr,
      /legacy is imported/,
    );
    assert.match((await well("up", "legacy")).stderr, /legacy is ready, nothing changed/);
    assert.deepEqual(specAndAnnotations(await gardener.shoot("theirs")), specAndAnnotations(before));
    assert.match(
      await refused("import", "other", "--shoot", "theirs", "--provisioner", "garden"),
      /is in the state of another runtime/,
    );

    const cluster = { ...clusterIn(project.stackFile("legacy")), autoScalerMax: 7 };
    await well("up", "-f", fileOf("legacy", { cluster }));
    const after = await gardener.shoot("theirs");
    const [spec, old] = [after, before].map((shoot) => shoot?.["spec"] as { provider: { workers: object[] } });
    assert.deepEqual(spec, {
      ...old,
      provider: { ...old?.provider, workers: [{ ...old?.provider.workers[0], maximum: 7 }] },
    });
  });

  it("keeps its protection after an import: it is neither imported again nor destroyed", async () => {
    const theirs = ["--shoot", "theirs", "--provisioner", "garden"];
    const uid = (await gardener.shoot("theirs"))?.metadata.uid;
    await well("protect", "legacy");
    assert.match(await refused("import", "legacy", ...theirs), /has a runtime already|is of deployment legacy/);
    assert.match(
      await refused("import", "other", ...theirs),
      /is in the state of another runtime|is of deployment legacy/,
    );
    loseState("legacy");
    assert.match(await refused("import", "other", ...theirs), /is of deployment legacy .*runtime adopt legacy/);
    await well("adopt", "legacy", "--yes");
    assert.match(
      await refused("destroy", "legacy", "--yes"),
      /deployment "legacy" is protected, so nothing was changed/,
    );
    assert.equal((await gardener.shoot("theirs"))?.metadata.uid, uid);
    await well("unprotect", "legacy");
    await well("destroy", "legacy", "--yes");
    assert.equal(await gardener.shoot("theirs"), undefined);
  });

  for (const [file, name] of [
    ["azure", "i-az"],
    ["azure-zones", "i-azz"],
    ["azure-subnets", "i-azs"],
    ["aws", "i-aws"],
    ["openstack", "i-os"],
  ] as const) {
    it(`is imported from other clouds and unchanged by the next update (${file})`, async () => {
      const { garden, namespace } = gardener;
      const text = readFileSync(path.join(__dirname, "../../fixtures/shoots", `${file}.json`), "utf8");
      const golden = JSON.parse(text) as KubeObject;
      const { shoot } = forVersion({ ...golden, metadata: { ...golden.metadata, name, namespace } });
      await garden.apply(shoot);
      await gardener.until(name, (shoot) => textAt(shoot, "status", "lastOperation", "state") === "Succeeded");
      const before = specAndAnnotations(await gardener.shoot(name));
      const imported = (await well("import", name, "--shoot", name, "--provisioner", "garden")).stderr;
      assert.match(imported, new RegExp(`${name} is imported`));
      assert.match(imported, /the Shoot is as the settings would make it/);
      assert.match((await well("preview", name)).stdout, new RegExp(`${name}: nothing to do`));
      assert.match((await well("up", name)).stderr, new RegExp(`${name} is ready, nothing changed`));
      assert.deepEqual(specAndAnnotations(await gardener.shoot(name)), before);
      await well("destroy", name, "--yes");
    });
  }

  it("is removed from Gardener only when named", async () => {
    loseState();
    assert.match(await refused("remove-orphan", "acme", "--yes"), /would delete whole clusters with their data/);
    assert.ok(await gardener.shoot("acme"));
    const named = `${gardener.namespace}/acme`;
    assert.match((await well("remove-orphan", "acme", "--yes", "--allow-data-loss", named)).stderr, /acme is gone/);
    assert.equal(await gardener.shoot("acme"), undefined);
    assert.deepEqual(await orphans(), []);
  });

  describe("with a registration in a Director", () => {
    /** Kills everything that a command started, as soon as the Director has registered its runtime and before it answers. */
    const killedWhileRegistered = async (file: string): Promise<void> => {
      left.silentAfter = "registerRuntime";
      const { ended } = project.start("runtime", "up", "-f", file);
      await until("it is registered", () => Promise.resolve(left.runtimes.size === 1));
      signalAll(processesWith(mark).map(Number), "SIGKILL");
      left.silentAfter = undefined;
      assert.notEqual((await ended).code, 0);
    };
    const registrations = (): number => left.asked.filter((field) => field === "registerRuntime").length;

    it("is taken over by the next update after a kill before the state was stored, and unregistered in the end", async () => {
      const file = fileOf("killed", { provisioner: "left", cluster: CLUSTER });
      await killedWhileRegistered(file);
      assert.equal(await gardener.shoot("killed"), undefined);
      const [id] = left.runtimes.keys();
      await well("up", "-f", file);
      assert.deepEqual([[...left.runtimes.keys()], registrations()], [[id], 1]);
      await well("destroy", "killed", "--yes");
      assert.equal(left.runtimes.size, 0);
    });

    it("is unregistered by a destroy right after such a kill", async () => {
      await killedWhileRegistered(fileOf("killed", { provisioner: "left", cluster: CLUSTER }));
      await well("destroy", "killed", "--yes");
      assert.deepEqual([left.runtimes.size, registrations()], [0, 2]);
    });

    it("is unregistered with the orphan in the Directors of its provisioners and in no other", async () => {
      for (const provisioner of ["left", "right"]) {
        await well("up", "-f", fileOf("twin", { provisioner, cluster: { ...CLUSTER, name: `t-${provisioner}` } }));
        loseState("twin");
      }
      await well("up", "-f", fileOf("other", { provisioner: "right", cluster: CLUSTER }));
      assert.deepEqual([left.runtimes.size, right.runtimes.size], [1, 2]);
      const losses = ["left", "right"].flatMap((name) => ["--allow-data-loss", `${gardener.namespace}/t-${name}`]);
      await well("remove-orphan", "twin", "--yes", ...losses);
      assert.deepEqual(
        [[...left.runtimes.values()], [...right.runtimes.values()].map(({ name }) => name)],
        [[], ["other"]],
      );
      await well("destroy", "other", "--yes");
    });
  });
});
