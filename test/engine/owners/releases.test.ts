import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { connect } from "../../../kubernetes/connect/connect";
import type { Client } from "../../../kubernetes/client/client";
import { ChartRepository, packDouble } from "../../doubles/chartRepository";
import { Project } from "../cli/project";
import { kubernetesProvisioner } from "../runtime/provisioner";
import { testYard } from "../runtime/yard";
import { liveObjects } from "./live";

const CHART = "nvidia-device-plugin";
const PLUGIN = `kube-system/release-${CHART}`;
const RECORD = { apiVersion: "v1", kind: "ConfigMap", namespace: "kube-system", name: `release-${CHART}.owner` };

interface Exported {
  readonly deployment: { resources: { urn: string }[] };
}

describe("a Helm release of a platform", function () {
  this.timeout(120_000);
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-releases-"));
  let owner: Project;
  let copy: Project;
  let fresh: Project;
  let client: Client;
  let repository: ChartRepository;

  const config = (cpu = 1): Record<string, unknown> => ({
    cluster: { type: "existing", kubeconfig: { path: owner.place.kubeconfig } },
    charts: { mirror: repository.url },
    defaultProvisioner: "one",
    provisioners: { one: kubernetesProvisioner("releases") },
    gpuDevicePlugin: { enabled: true, values: { resources: { limits: { cpu } } } },
  });
  before(async () => {
    const place = await testYard();
    client = connect(readFileSync(place.kubeconfig, "utf8"), undefined, {});
    repository = await new ChartRepository({ [CHART]: await packDouble(CHART) }).start();
    const project = (): Project => {
      const backend = `file://${mkdtempSync(path.join(folder, "backend-"))}`;
      return new Project({ ...place, env: { ...place.env, PULUMI_BACKEND_URL: backend } });
    };
    [owner, copy, fresh] = [project(), project(), project()];
    await owner.platform(config());
  });
  after(async () => {
    await repository.stop();
    for (const project of [owner, copy, fresh]) await project.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const must = async (project: Project, verb: string, ...more: string[]): Promise<string> => {
    const { code, text } = await project.verb(verb, ...more);
    assert.equal(code, 0, text);
    return text;
  };
  const refused = async (project: Project, verb: string): Promise<string> => {
    const { code, text } = await project.verb(verb);
    assert.notEqual(code, 0, text);
    return text;
  };
  const belongsTo = (by: Project): RegExp =>
    new RegExp(
      `Helm release .*${CHART}[^]* belongs to [^]*stack stackyard/here in ${by.place.env["PULUMI_BACKEND_URL"]} on [^]*` +
        `stackyard adopt ${PLUGIN} --stack here`,
    );
  const adopt = async (project: Project, place = PLUGIN): Promise<string> => {
    const { kubeconfig } = owner.place;
    const ended = await project.stackyard("adopt", place, "--stack", "here", "--kubeconfig", kubeconfig, "--yes");
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    return ended.stderr;
  };
  const urnOf = async (project: Project): Promise<string> =>
    /urn:\S+::gpu-device-plugin-release(?=")/.exec(
      await project.must("pulumi", "stack", "export", "-s", "here"),
    )?.[0] ?? "";
  /** What the release installed, and its revisions. */
  const installed = () => liveObjects(client, "kube-system", [["apps/v1", "DaemonSet"]]);
  const revisions = () =>
    liveObjects(client, "kube-system", [["v1", "Secret"]], ({ metadata }) => metadata.labels?.["name"] === CHART);
  const live = async () => [...(await installed()), ...(await revisions())];

  it("gets its record with the first update after an earlier version, which does not touch the release", async () => {
    const before = await live();
    const file = path.join(folder, "earlier.json");
    const state = JSON.parse(await owner.must("pulumi", "stack", "export", "-s", "here")) as Exported;
    const { resources } = state.deployment;
    state.deployment.resources = resources
      .filter(({ urn }) => !urn.endsWith("-release-owner"))
      .map((resource) => ({ ...resource, dependencies: [], propertyDependencies: {} }));
    assert.equal(state.deployment.resources.length, resources.length - 1);
    writeFileSync(file, JSON.stringify(state));
    await owner.must("pulumi", "stack", "import", "-s", "here", "--file", file);
    await client.remove(RECORD);
    await must(owner, "up");
    assert.deepEqual(await live(), before);
    assert.ok(await client.get(RECORD));
    await must(owner, "preview", "--expect-no-changes");
  });

  it("does not change for a stack with a copy of the state after a change by the owner", async () => {
    const exported = path.join(folder, "state.json");
    await owner.must("pulumi", "stack", "export", "-s", "here", "--file", exported);
    cpSync(owner.folder, copy.folder, { recursive: true });
    await copy.must("pulumi", "stack", "init", "here", "--no-select");
    cpSync(path.join(owner.folder, "Pulumi.here.yaml"), path.join(copy.folder, "Pulumi.here.yaml"));
    await copy.must("pulumi", "stack", "import", "-s", "here", "--file", exported);
    owner.describe(config(2));
    await must(owner, "up");
    const before = await live();
    for (const verb of ["preview", "up", "destroy"]) assert.match(await refused(copy, verb), belongsTo(owner), verb);
    copy.describe(config(3));
    for (const verb of ["preview", "up"]) assert.match(await refused(copy, verb), belongsTo(owner), verb);
    assert.deepEqual(await live(), before);
    await must(owner, "preview", "--expect-no-changes");
  });

  it("passes to a stack that has it in its state by one command, and back without a change of the config", async () => {
    copy.describe(config(2));
    const shown = await adopt(copy);
    assert.match(
      shown,
      new RegExp(`the record of a Helm release[^]*takes over set ${PLUGIN} from stack stackyard/here in file:`),
    );
    const objects = await installed();
    await must(copy, "up");
    assert.deepEqual(await installed(), objects);
    const before = await live();
    for (const verb of ["preview", "up", "destroy"]) assert.match(await refused(owner, verb), belongsTo(copy), verb);
    await must(copy, "preview", "--expect-no-changes");
    await adopt(owner);
    await must(owner, "up");
    assert.match(await refused(copy, "destroy"), belongsTo(owner));
    assert.deepEqual(await live(), before);
  });

  it("is refused in a new stack, which takes it over by the same command", async () => {
    await assert.rejects(fresh.platform(config(2)), belongsTo(owner));
    const before = await installed();
    await adopt(fresh);
    await must(fresh, "preview");
    await must(fresh, "up");
    await must(fresh, "preview", "--expect-no-changes");
    assert.deepEqual(await installed(), before);
    // As if the update had been killed when it had taken the record.
    await fresh.must("pulumi", "state", "delete", "-s", "here", "--target-dependents", await urnOf(fresh), "--yes");
    await must(fresh, "up");
    assert.deepEqual(await installed(), before);
  });

  it("stays when a former owner leaves it alone as the refusal says", async () => {
    const before = await live();
    for (const former of [owner, copy]) {
      const text = await refused(former, "destroy");
      assert.match(text, belongsTo(fresh));
      const [, urn = ""] = /pulumi state delete --target-dependents '([^']+)'/.exec(text) ?? [];
      await former.must("pulumi", "state", "delete", "-s", "here", "--target-dependents", urn, "--yes");
      former.describe({ ...config(), gpuDevicePlugin: { enabled: false } });
      await must(former, "up");
      await must(former, "destroy");
    }
    assert.deepEqual(await live(), before);
  });

  it("is uninstalled with its record by its owner, also after a failed update", async () => {
    fresh.describe(config(-1));
    await refused(fresh, "up");
    await must(fresh, "destroy");
    assert.deepEqual(await live(), []);
    assert.equal(await client.get(RECORD), undefined);
  });
});
