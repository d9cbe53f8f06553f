import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import { promisify } from "node:util";
import type { KubernetesObject } from "../runtime/world";
import { kubernetesProvisioner } from "../runtime/provisioner";
import { testYard } from "../runtime/yard";
import { Project } from "./project";

const run = promisify(execFile);
const namespace = `protection-${randomBytes(3).toString("hex")}`;
const PROTECTED = /deployment "acme" is protected, so nothing was changed/;

/** A workload without a disk. */
const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
spec:
  selector:
    matchLabels: { app: "{{ .Names.Service }}" }
  template:
    metadata:
      labels: { app: "{{ .Names.Service }}" }
    spec:
      containers:
        - { name: runtime, image: "{{ .Image }}:{{ .ImageTag }}" }
`;

describe("a protected runtime in Kubernetes", () => {
  let project: Project;
  let expected: string[];

  before(async () => {
    const place = await testYard();
    project = new Project(place);
    await project.platform({
      cluster: { type: "existing", kubeconfig: { path: place.kubeconfig } },
      defaultProvisioner: "one",
      provisioners: { one: kubernetesProvisioner(namespace), two: kubernetesProvisioner(`${namespace}-b`) },
    });
    await project.runtime("up", "acme", "--version", "v1");
    await project.runtime("protect", "acme");
    expected = await objects();
  });
  after(async () => {
    await project.remove();
    await kubectl("delete", "namespace", namespace, `${namespace}-b`, "--ignore-not-found", "--wait=false");
  });
  afterEach(async () => assert.deepEqual(await objects(), expected));

  const kubectl = async (...args: string[]): Promise<string> =>
    (await run("kubectl", ["--kubeconfig", project.place.kubeconfig, ...args])).stdout;
  /** UIDs of its StatefulSet and its disk. */
  const objects = async (): Promise<string[]> => {
    const found = JSON.parse(
      await kubectl("-n", namespace, "get", "statefulsets,pvc", "-o", "json"),
    ) as KubernetesObject;
    return (found.items ?? []).map(({ kind, metadata }) => `${kind} ${metadata.uid}`).sort();
  };
  const refused = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await project.stackyard("runtime", ...args);
    assert.equal(code, 1, stdout + stderr);
    return stderr;
  };

  it("rejects destroy and move, also in the preview", async () => {
    assert.match(await refused("destroy", "acme", "--yes"), PROTECTED);
    for (const verb of ["preview", "up"]) {
      assert.match(await refused(verb, "acme", "--provisioner", "two", "--move"), PROTECTED, verb);
    }
  });

  it("rejects a move by a stack file and a destroy by plain pulumi", async () => {
    const set = ["config", "set", "-s", "acme", "--path"];
    await project.pulumi(...set, "deployment.provisioner", "two");
    await project.pulumi(...set, "move", "two");
    for (const verb of ["up", "destroy"]) {
      const { code, stdout } = await project.pulumi(verb, "-s", "acme", "--yes", "--skip-preview");
      assert.notEqual(code, 0, stdout);
    }
    rmSync(project.stackFile("acme"));
  });

  it("keeps its protection when its stack is lost: it is adopted with it and not removed", async () => {
    const backend = project.place.env["PULUMI_BACKEND_URL"]!.slice("file://".length);
    const states = path.join(backend, ".pulumi", "stacks", "stackyard-runtime");
    for (const name of readdirSync(states).filter((each) => each.startsWith("acme.json")))
      rmSync(path.join(states, name));
    const all = ["--allow-data-loss", `${namespace}/*`, "--yes"];
    assert.match(await refused("remove-orphan", "acme", ...all), /acme is protected, so nothing was deleted/);
    await project.runtime("adopt", "acme", "--yes");
    assert.match(await refused("destroy", "acme", "--yes"), PROTECTED);
  });

  it("keeps its protection through an update of all outdated runtimes", async () => {
    const key = "stackyard:provisioners.one.spec.image";
    await project.must("pulumi", "config", "set", "-s", "here", "--path", key, "example/other");
    await project.must("pulumi", "up", "-s", "here", "--yes", "--skip-preview");
    await project.runtime("up", "--outdated", "--yes");
    assert.match(await refused("destroy", "acme", "--yes"), PROTECTED);
  });

  it("keeps its disk when its template lets it go, whatever the config of its stack allows", async () => {
    const key = "stackyard:provisioners.one.spec.templates";
    const file = path.join(project.folder, "deployment.yaml.tmpl");
    writeFileSync(file, DEPLOYMENT);
    await project.must("pulumi", "config", "set", "-s", "here", "--path", `${key}.deployment`, file);
    await project.must("pulumi", "up", "-s", "here", "--yes", "--skip-preview");
    const loss = /this update would delete a claim with its data, so nothing was deleted:\n.*data-runtime-acme-0 \(/;
    const set = ["config", "set", "-s", "acme", "--path", "stackyard:allowDataLoss[0]"];
    await project.pulumi(...set, `${namespace}/data-runtime-acme-0`);
    for (const remedy of [
      /\. The deployment is protected; .* stackyard runtime unprotect acme\b/,
      /: stackyard runtime destroy acme\b/,
    ]) {
      for (const args of [
        ["preview", "acme"],
        ["up", "--outdated", "--yes"],
      ]) {
        const said = await refused(...args);
        assert.match(said, loss);
        assert.match(said, remedy);
      }
      const { code, stdout } = await project.pulumi("up", "-s", "acme", "--yes", "--skip-preview");
      assert.notEqual(code, 0);
      assert.match(stdout, remedy);
      if (remedy.source.includes("unprotect")) await project.runtime("unprotect", "acme");
    }
    await project.must("pulumi", "config", "rm", "-s", "here", "--path", key);
    await project.must("pulumi", "up", "-s", "here", "--yes", "--skip-preview");
    await project.runtime("protect", "acme");
  });

  it("is destroyed once it is unprotected", async () => {
    await project.runtime("hibernate", "acme");
    assert.match((await project.runtime("unprotect", "acme")).stderr, /^acme is not protected any more/m);
    await project.runtime("destroy", "acme", "--yes");
    expected = [];
  });
});
