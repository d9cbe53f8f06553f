import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { promisify } from "node:util";
import { signalAll } from "../../../engine/process/processTree";
import { testYard } from "../runtime/yard";
import { pidsOf, until } from "./held";
import { Project, type Ended } from "./project";

const run = promisify(execFile);
/** Ours alone, so that what stays behind in it is ours. */
const temporary = mkdtempSync(path.join(tmpdir(), "stackyard-ray-"));
const namespace = `ray-cli-${randomBytes(3).toString("hex")}`;
const small = { cpu: 1, memoryGb: 1 };

describe("stackyard ray", () => {
  let project: Project;
  let file: string;

  before(async () => {
    const place = await testYard();
    project = new Project({ ...place, env: { ...place.env, TMPDIR: temporary } });
    const spec = { namespace: "runtimes", host: "http://*.runtimes.localhost", image: "example/runtime" };
    const workerGroups = { worker: { ...small, replicas: 1 } };
    await project.platform({
      cluster: { type: "existing", kubeconfig: { path: place.kubeconfig } },
      defaultProvisioner: "only",
      provisioners: { only: { type: "kubernetes", spec } },
      ray: { one: { mode: "static", enabled: false, namespace, pool: "", reservedCpu: 0, head: small, workerGroups } },
    });
    file = path.join(project.folder, "Pulumi.here.yaml");
    writeFileSync(file, `# ours\n${readFileSync(file, "utf8")}`);
  });
  after(async () => {
    await project.remove();
    rmSync(temporary, { recursive: true });
    const kubectl = ["--kubeconfig", project.place.kubeconfig, "delete", "namespace", namespace, "--wait=false"];
    await run("kubectl", kubectl, { env: project.place.env });
  });

  const ray = (what: string, ...args: string[]): Promise<Ended> =>
    project.stackyard("ray", what, "--stack", "here", ...args);
  const copies = (): string[] =>
    readdirSync(temporary).filter((name) => name.startsWith("stackyard-") && !name.startsWith("stackyard-engines-"));
  const well = async (what: string, ...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await ray(what, ...args);
    assert.equal(code, 0, stdout + stderr);
    return stdout;
  };

  it("previews changes and leaves the stack file unchanged", async () => {
    const before = readFileSync(file, "utf8");
    const { code, stderr } = await ray("up", "one", "--preview");
    assert.equal(code, 0, stderr);
    assert.match(stderr, /stackyard:index:RayCluster +ray-one +create/);
    assert.equal(readFileSync(file, "utf8"), before);
  });

  it("leaves the stack file unchanged when killed before any change", async () => {
    const before = readFileSync(file, "utf8");
    for (const [verb, ...flags] of [["preview"], ["up", "--yes"]] as const) {
      const { pid, ended } = project.start("ray", "up", "one", "--stack", "here", ...flags);
      let engines: readonly number[] = [];
      await until(`${verb} runs`, async () => (engines = await pidsOf(project, "pulumi", verb, "here")).length > 0);
      // The engines first, and at once: on a busy machine one would begin with its changes.
      signalAll([...engines, pid], "SIGKILL");
      await ended;
      assert.equal(readFileSync(file, "utf8"), before, verb);
    }
    await project.must("pulumi", "cancel", "-s", "here", "--yes");
    for (const copy of copies()) rmSync(path.join(temporary, copy), { recursive: true }); // Nobody was left to do it.
  });

  it("leaves the stack file unchanged if the preview fails or nobody can confirm", async () => {
    const before = readFileSync(file, "utf8");
    const failed = await ray("up", "one", "--mode", "kuberay");
    assert.equal(failed.code, 1);
    assert.match(failed.stderr, /the preview failed, so nothing was changed/);
    assert.match((await ray("up", "one")).stderr, /Deploy the Ray cluster one\? .* pass --yes/);
    const refused = await ray("up", "one", "--mode", "kuberay", "--yes");
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /the update failed; its output is above\. Nothing was changed, and \S+ is unchanged/);
    assert.equal(readFileSync(file, "utf8"), before);
    assert.deepEqual(copies(), []);
  });

  it("deploys a cluster and prints how to reach it", async () => {
    const own = readFileSync(file, "utf8");
    const salt = /^encryptionsalt: .*\n/m.exec(own)?.[0] ?? "";
    // As a file that belongs to everybody, whose salt is only in the state.
    writeFileSync(file, own.replace(salt, ""));
    const text = await well("up", "one", "--yes");
    assert.doesNotMatch(readFileSync(file, "utf8"), /encryptionsalt/);
    writeFileSync(file, readFileSync(file, "utf8").replace("# ours\n", `# ours\n${salt}`));
    assert.match(text, new RegExp(`ray://one-ray-head-svc\\.${namespace}\\.svc:10001`));
    assert.match(text, new RegExp(`kubectl --namespace ${namespace} port-forward service/one-ray-head-svc 8265 10001`));
    const written = readFileSync(file, "utf8");
    assert.match(written, /^# ours\n/);
    assert.doesNotMatch(written, /enabled/);
    assert.match(await well("list"), /^one +static +running +\d+\.\d+\.\d+ /m);
  });

  it("copies the description of another cluster with --like", async () => {
    await well("up", "two", "--like", "one", "--yes");
    assert.match(await well("list"), /^one .*\ntwo +static +running /m);
    await well("down", "two", "--yes");
  });

  it("takes a cluster down and keeps its description", async () => {
    await well("down", "one", "--yes");
    assert.match(await well("list"), /^one +static +off$/m);
    assert.match(readFileSync(file, "utf8"), /replicas: 1/);
  });

  it("lists the existing clusters when a name is wrong", async () => {
    assert.match(
      (await ray("down", "onne", "--yes")).stderr,
      /Pulumi\.here\.yaml has no Ray cluster onne; it has one, two/,
    );
    assert.match(
      (await ray("submit", "three", "--", "true")).stderr,
      /no Ray cluster three runs .*; none runs\. Start it/,
    );
    const { code, stderr } = await ray("up", "Upper", "--yes");
    assert.equal(code, 2);
    assert.match(stderr, /name: found "Upper"; expected a-z, 0-9/);
  });
});
