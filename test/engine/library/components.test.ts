import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "../../../toolchain/root";
import { bundleFolder } from "../bundles/bundleFolder";
import { Project } from "../cli/project";
import { testYard } from "../runtime/yard";
import { newProject } from "./newProject";

const TOKEN = "hush-hush-hush";

/** In place of a kubeconfig in the config: one that exists when another resource does. */
const MADE = `(() => {
  const kubeconfig = config.requireSecret("kubeconfig");
  const objects = [{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "made" } }];
  const made = new stackyard.ManifestSet("made", { kubeconfig, cluster: "https://made", name: "made", namespace: "default", objects });
  return pulumi.all([kubeconfig, made.id]).apply(([text]) => text);
})()`;

interface StateResource {
  readonly urn: string;
  readonly custom: boolean;
  readonly dependencies?: readonly string[];
}

describe("a program of another team with components", () => {
  let project: Project;
  let program: string;
  before(async () => {
    project = new Project(await testYard());
    await newProject(project.folder, "shop");
    const page = readFileSync(path.join(projectRoot(), "docs", "components.md"), "utf8");
    program = /^```js\n(\/\/ index\.js\n[^]*?)^```$/m.exec(page)?.[1] ?? "";
    write(program);
    shop("one");
    await project.must("pulumi", "stack", "init", "here", "--no-select");
    await set("kubeconfig", readFileSync(project.place.kubeconfig, "utf8"), "--secret");
    await set("token", TOKEN, "--secret");
  });
  after(() => project.remove());

  const write = (text: string): void => writeFileSync(path.join(project.folder, "index.js"), text);
  const onMade = (): void => write(program.replace('config.requireSecret("kubeconfig")', MADE));
  const shop = (text: string): unknown =>
    bundleFolder(project.folder, "shop", {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "shop" },
      data: { text },
    });
  const set = (key: string, value: string, ...more: string[]): Promise<string> =>
    project.must("pulumi", "config", "set", "-s", "here", `shop:${key}`, value, ...more);
  const up = (): Promise<string> => project.must("pulumi", "up", "-s", "here", "--yes", "--skip-preview");
  const unchanged = (): Promise<string> => project.must("pulumi", "preview", "-s", "here", "--expect-no-changes");
  const state = async (): Promise<readonly StateResource[]> => {
    const text = await project.must("pulumi", "stack", "export", "-s", "here");
    assert.ok(!text.includes(TOKEN) && !text.includes("client-key-data"), "a secret is in the state");
    return (JSON.parse(text) as { deployment: { resources: StateResource[] } }).deployment.resources;
  };

  it("names every fault with its argument before anything is created", async () => {
    await set("workers", "0.5");
    write(program.replace('mode: "static"', 'mode: "statik"'));
    const { code, stdout, stderr } = await project.hand("up", "-s", "here", "--yes", "--skip-preview");
    write(program);
    await set("workers", "1");
    const said = stdout + stderr;
    assert.notEqual(code, 0, said);
    assert.match(said, /main has 2 faults; nothing was created/);
    assert.match(
      said,
      /property mode with value "statik" has a problem: .*; expected static or autoscaling or kuberay/,
    );
    assert.match(said, /property workerGroups\.worker\.replicas .*expected a whole number from 0/);
    assert.deepEqual(
      (await state()).filter(({ urn }) => urn.includes("::main")),
      [],
    );
  });

  it("previews on a cluster that is not made yet", async () => {
    onMade();
    const said = await project.must("pulumi", "preview", "-s", "here");
    assert.match(said, /ManifestSet main-ray-main-objects create/);
    write(program);
  });

  it("creates and changes a Ray cluster and a bundle", async () => {
    await up();
    await unchanged();
    const outputs = await project.must("pulumi", "stack", "output", "-s", "here", "--json");
    assert.match(outputs, /"address": "ray:\/\/main-ray-head-svc\.team-ray/);
    await set("workers", "2");
    await project.must(
      "pulumi",
      "config",
      "set",
      "-s",
      "here",
      "--path",
      "stackyard:images.mirror",
      "mirror.example.com",
    );
    shop("two");
    const changed = await up();
    assert.match(changed, /ManifestSet main-ray-main-objects updated/);
    assert.match(changed, /BundleRelease shop-bundles-shop-release updated/);
    assert.ok(JSON.stringify(await state()).includes("mirror.example.com/rayproject/ray:"));
    await unchanged();
  });

  it("deletes all of a component before what its arguments come from", async () => {
    onMade();
    await up();
    const resources = await state();
    const made = resources.find(({ urn }) => urn.endsWith("::made"))?.urn ?? "";
    const parts = resources.filter(({ urn, custom }) => custom && urn.includes("$stackyard:index:Ray$"));
    assert.equal(parts.length, 4);
    for (const { urn, dependencies = [] } of parts) assert.ok(dependencies.includes(made), urn);
  });
});
