import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import type { KubernetesObject } from "../runtime/world";
import { kubernetesProvisioner } from "../runtime/provisioner";
import { testYard } from "../runtime/yard";
import { Project } from "./project";

const run = promisify(execFile);
const tag = randomBytes(3).toString("hex");
const [here, there] = [`moves-${tag}`, `moves-${tag}-b`] as const;

describe("moving a runtime in Kubernetes with stackyard runtime", () => {
  let project: Project;

  before(async () => {
    const place = await testYard();
    project = new Project(place);
    await project.platform({
      cluster: { type: "existing", kubeconfig: { path: place.kubeconfig } },
      defaultProvisioner: "one",
      provisioners: { one: kubernetesProvisioner(here), two: kubernetesProvisioner(there) },
    });
  });
  after(async () => {
    await project.remove();
    await kubectl("delete", "namespace", here, there, "--ignore-not-found", "--wait=false");
  });

  const kubectl = async (...args: string[]): Promise<string> =>
    (await run("kubectl", ["--kubeconfig", project.place.kubeconfig, ...args])).stdout;
  const claims = async (namespace: string): Promise<string[]> => {
    const found = JSON.parse(await kubectl("-n", namespace, "get", "pvc", "-o", "json")) as KubernetesObject;
    return (found.items ?? []).map(({ metadata }) => metadata.uid);
  };

  it("previews the objects and the disk that a move creates and deletes", async () => {
    await project.runtime("up", "acme", "--version", "v1");
    const { stdout } = await project.runtime("preview", "acme", "--provisioner", "two", "--move");
    assert.match(stdout, /\+ create ManifestSet/);
    assert.match(stdout, /- remove ManifestSet/);
    assert.match(stdout, new RegExp(`disk ${here}/data-runtime-acme-0 is deleted once the new runtime is ready`));
  });

  it("keeps the disk of a hibernated runtime until it has run at the new place", async () => {
    const before = await claims(here);
    assert.equal(before.length, 1);
    await project.runtime("hibernate", "acme");
    const moved = await project.runtime("up", "acme", "--provisioner", "two", "--move");
    assert.match(moved.stderr, /is deleted once the new runtime is awake and ready/);
    assert.deepEqual(await claims(here), before);
    assert.match((await project.runtime("status", "acme")).stdout, /^acme is hibernated\n/);
    await project.runtime("up", "acme", "--annotation", "team=blue");
    assert.deepEqual(await claims(here), before);
    await project.runtime("wake", "acme");
    assert.deepEqual(await claims(here), []);
    assert.equal((await claims(there)).length, 1);
    assert.equal((await project.runtime("check", "--all")).stdout, "✓ acme\n");
  });

  it("reuses the disk of a runtime that moves back before it has run", async () => {
    const before = await claims(there);
    await project.runtime("hibernate", "acme");
    await project.runtime("up", "acme", "--provisioner", "one", "--move");
    await project.runtime("up", "acme", "--provisioner", "two", "--move");
    await project.runtime("wake", "acme");
    assert.deepEqual([await claims(here), await claims(there)], [[], before]);
    await project.runtime("destroy", "acme", "--yes");
    assert.deepEqual([await claims(here), await claims(there)], [[], []]);
  });
});
