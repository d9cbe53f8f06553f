import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { promisify } from "node:util";
import { kubernetesProvisioner } from "../runtime/provisioner";
import { testYard } from "../runtime/yard";
import { Project, type Ended } from "./project";

const run = promisify(execFile);
const namespace = `owners-${randomBytes(3).toString("hex")}`;

describe("a runtime in two state backends", () => {
  let here: Project;
  let there: Project;
  const backend = mkdtempSync(path.join(tmpdir(), "stackyard-backend-"));

  before(async () => {
    const place = await testYard();
    here = new Project(place);
    there = new Project({ ...place, env: { ...place.env, PULUMI_BACKEND_URL: `file://${backend}` } });
    const config = {
      cluster: { type: "existing", kubeconfig: { path: place.kubeconfig } },
      defaultProvisioner: "one",
      provisioners: { one: kubernetesProvisioner(namespace) },
    };
    await here.platform(config);
    await there.platform(config);
    await here.runtime("up", "acme", "--version", "1");
  });
  after(async () => {
    await here.remove();
    await there.remove();
    rmSync(backend, { recursive: true, force: true });
    await kubectl("delete", "namespace", namespace, "--wait=false");
  });

  const kubectl = async (...args: string[]): Promise<string> =>
    (await run("kubectl", ["--kubeconfig", here.place.kubeconfig, ...args])).stdout;
  const live = (): Promise<string> =>
    kubectl(
      "-n",
      namespace,
      "get",
      "statefulsets,pvc",
      "-o",
      "jsonpath={.items[*].metadata.uid} {.items[*].spec.replicas}",
    );
  const refused = async (project: Project, ...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await project.stackyard("runtime", ...args);
    assert.notEqual(code, 0, stdout + stderr);
    return stdout + stderr;
  };
  const OWNER =
    /runtime-acme belongs to stack stackyard-runtime\/acme in file:.*To take it over on purpose: stackyard runtime adopt acme/s;

  it("rejects preview and update from the other backend, and nothing changes", async () => {
    const before = await live();
    assert.match(await refused(there, "preview", "acme", "--version", "2"), OWNER);
    assert.match(await refused(there, "up", "acme", "--version", "2"), OWNER);
    assert.match(
      await refused(there, "remove-orphan", "acme", "--yes"),
      /acme belongs to stack .* Nothing was deleted\./s,
    );
    assert.equal(await live(), before);
    assert.match((await here.runtime("up", "acme")).stderr, /acme is ready, nothing changed/);
  });

  it("is left alone by the destroy of an empty stack of the same name, which goes", async () => {
    const before = await live();
    assert.equal((await there.pulumi("stack", "init", "acme", "--no-select")).code, 0);
    const { stderr } = await there.runtime("destroy", "acme", "--yes");
    assert.match(stderr, /resources of acme belong to stack stackyard-runtime\/acme in file:.*, and stay/s);
    assert.deepEqual(await there.stacks(), []);
    assert.equal(await live(), before);
  });

  it("rejects a stack with the same id and another name, also with plain pulumi", async () => {
    const before = await live();
    const well = async (...args: string[]): Promise<Ended> => {
      const ended = await here.pulumi(...args);
      assert.equal(ended.code, 0, ended.stdout + ended.stderr);
      return ended;
    };
    await well("stack", "init", "copy", "--no-select");
    const set = ["config", "set", "-s", "copy", "--path"];
    await well(...set, "platform", "organization/stackyard/here");
    for (const [key, value] of Object.entries({ id: "acme", slots: "1", version: "v9" }))
      await well(...set, `deployment.${key}`, value);
    for (const verb of ["preview", "up"]) {
      const flags = verb === "up" ? ["--yes", "--skip-preview"] : [];
      const { code, stdout, stderr } = await here.pulumi(verb, "-s", "copy", ...flags);
      assert.notEqual(code, 0, stdout);
      assert.match(stdout + stderr, OWNER);
    }
    await well("destroy", "-s", "copy", "--yes", "--skip-preview", "--remove");
    assert.equal(await live(), before);
  });

  it("is not created over the live one when its state is lost", async () => {
    const folder = path.join(here.place.env["PULUMI_BACKEND_URL"]!.slice("file://".length), ".pulumi", "stacks");
    const states = path.join(folder, "stackyard-runtime");
    const before = await live();
    for (const file of readdirSync(states).filter((name) => name.startsWith("acme.json")))
      rmSync(path.join(states, file));
    rmSync(here.stackFile("acme"), { force: true });
    assert.match(await refused(here, "up", "acme", "--version", "6"), OWNER);
    assert.equal(await live(), before);
    assert.match((await here.runtime("adopt", "acme", "--yes")).stderr, /acme is adopted/);
    assert.match((await here.runtime("up", "acme")).stderr, /acme is ready, nothing changed/);
  });

  it("is not recreated by a former owner without --refresh after the other stack destroyed it", async () => {
    await there.runtime("adopt", "acme", "--yes");
    await there.runtime("destroy", "acme", "--yes");
    assert.match(await refused(here, "up", "acme", "--version", "3"), /data-runtime-acme-0 was deleted with its data/);
    assert.equal((await live()).trim(), "");
    await here.runtime("up", "acme", "--refresh");
    assert.notEqual((await live()).trim(), "");
  });

  it("changes its owner by adoption; the former owner then changes and deletes nothing", async () => {
    const before = await live();
    assert.match((await there.runtime("list", "--orphans")).stdout, /acme .*owner stackyard-runtime\/acme in file:/);
    assert.match(await refused(there, "adopt", "acme"), /acme belongs to stack .*StatefulSet .*pass --yes/s);
    assert.match((await there.runtime("adopt", "acme", "--yes")).stderr, /acme is adopted/);
    assert.equal(await live(), before);
    assert.match(await refused(here, "up", "acme", "--version", "3"), OWNER);
    const gone = await here.stackyard("runtime", "destroy", "acme", "--yes");
    assert.match(gone.stdout + gone.stderr, /acme is destroyed, but objects of another owner remain/);
    assert.equal(await live(), before);
    await there.runtime("up", "acme", "--version", "4");
    assert.match((await there.runtime("destroy", "acme", "--yes")).stderr, /acme is gone/);
    assert.equal((await live()).trim(), "");
  });

  it("is adopted by its id for a platform of another name, and is no orphan there until then", async () => {
    await here.runtime("up", "acme", "--version", "1");
    const before = await live();
    const rename = async (from: string, to: string) => there.must("pulumi", "stack", "rename", to, "-s", from);
    await rename("here", "elsewhere");
    const inElsewhere = ["--platform", "elsewhere"];
    assert.match(await refused(there, "up", "acme", "--version", "2", ...inElsewhere), OWNER);
    assert.match((await there.runtime("list", "--orphans")).stdout, /^no orphans$/m);
    assert.match(await refused(there, "adopt", "acme", "--platform", "here", "--yes"), /there is no orphan acme/);
    const adopted = await there.runtime("adopt", "acme", ...inElsewhere, "--yes");
    assert.match(adopted.stderr, /belongs to stack .*stackyard\/here" → "organization\/stackyard\/elsewhere"/s);
    assert.equal(await live(), before);
    assert.match(await refused(here, "up", "acme", "--version", "3"), OWNER);
    await there.runtime("up", "acme");
    assert.match((await there.runtime("destroy", "acme", "--yes")).stderr, /acme is gone/);
    await rename("elsewhere", "here");
  });
});
