import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { bundleFolder } from "../bundles/bundleFolder";
import { Project } from "../cli/project";
import { testYard } from "../runtime/yard";
import { newProject } from "./newProject";

/** `moved`, `namespace` and `pool` are in the stack's config. */
const PROGRAM = `
const pulumi = require("@pulumi/pulumi");
const stackyard = require("stackyard");

const config = new pulumi.Config();
const kubeconfig = config.requireSecret("kubeconfig");
const configMap = (name) => [{ apiVersion: "v1", kind: "ConfigMap", metadata: { name } }];
const set = (name, namespace, opts) =>
  new stackyard.ManifestSet(name, { kubeconfig, cluster: "https://yard", name, namespace, objects: configMap(name) }, opts);

const own = new (class extends pulumi.ProviderResource {})("stackyard", "own", {});
const before = set("before", "default");
const group = new pulumi.ComponentResource("team:index:Group", "group");
new stackyard.Bundle(
  "shop",
  { cluster: { kubeconfig: { content: kubeconfig } }, createNamespace: true, versions: { "1.0.0": { sources: [{ type: "local", path: "shop" }] } } },
  {
    protect: true,
    dependsOn: before,
    providers: [own],
    transforms: [({ type, props, opts }) =>
      type === "stackyard:index:BundleRelease" ? { props: { ...props, timeoutSeconds: 77 }, opts } : undefined],
    ...(config.get("moved") && { parent: group, aliases: [{ parent: pulumi.rootStackResource }] }),
  },
);
set("place", config.require("namespace"), { deleteBeforeReplace: true });
const hosts = [{ host: "http://pool.localhost", audienceUrl: "http://pool.localhost", dataDir: "/data", slots: 1 }];
new stackyard.StaticPool(
  "pool",
  { ledgerUrl: config.requireSecret("ledger"), pool: "team-pool", hosts },
  { import: config.get("pool") },
);
`;

interface StateResource {
  readonly urn: string;
  readonly id?: string;
  readonly type: string;
  readonly parent?: string;
  readonly protect?: boolean;
  readonly provider?: string;
  readonly dependencies?: readonly string[];
  readonly inputs?: Readonly<Record<string, unknown>>;
}

describe("options of resources of the package", () => {
  let project: Project;
  before(async () => {
    const place = await testYard();
    project = new Project({ ...place, env: { ...place.env, STACKYARD_LEDGER_URL: place.ledgerUrl } });
    await newProject(project.folder, "team");
    writeFileSync(path.join(project.folder, "index.js"), PROGRAM);
    bundleFolder(project.folder, "shop", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "shop" } });
    await project.must("pulumi", "stack", "init", "here", "--no-select");
    await set("kubeconfig", readFileSync(project.place.kubeconfig, "utf8"), "--secret");
    await set("ledger", project.place.ledgerUrl, "--secret");
    await set("namespace", "default");
    await up();
  });
  after(async () => {
    await project.must("pulumi", "state", "unprotect", "-s", "here", "--all", "--yes");
    await project.remove();
  });

  const set = (key: string, value: string, ...more: string[]): Promise<string> =>
    project.must("pulumi", "config", "set", "-s", "here", `team:${key}`, value, ...more);
  const up = (): Promise<string> => project.must("pulumi", "up", "-s", "here", "--yes", "--skip-preview");
  const unchanged = (): Promise<string> => project.must("pulumi", "preview", "-s", "here", "--expect-no-changes");
  const state = async (): Promise<readonly StateResource[]> => {
    const text = await project.must("pulumi", "stack", "export", "-s", "here");
    return (JSON.parse(text) as { deployment: { resources: StateResource[] } }).deployment.resources;
  };
  const named = async (name: string): Promise<StateResource> => {
    const found = (await state()).find(({ urn }) => urn.endsWith(`::${name}`));
    assert.ok(found, `the state has no ${name}`);
    return found;
  };
  const release = (): Promise<StateResource> => named("shop-bundles-shop-release");

  it("protect all of a component", async () => {
    assert.equal((await release()).protect, true);
    const { urn } = await named("shop-data-guard");
    const only = ["--target", urn, "--yes", "--skip-preview"];
    const { code, stdout, stderr } = await project.hand("destroy", "-s", "here", ...only);
    assert.notEqual(code, 0);
    assert.match(stdout + stderr, /protected/);
  });

  it("create all of a component after what it depends on", async () => {
    const { urn } = await named("before");
    assert.ok((await release()).dependencies?.includes(urn));
  });

  it("give a component's resources the provider of the program", async () => {
    assert.match((await release()).provider ?? "", /::pulumi:providers:stackyard::own::/);
  });

  it("transform a component's resources", async () => {
    assert.equal((await release()).inputs?.["timeoutSeconds"], 77);
  });

  it("move a component below another one without a change of its resources", async () => {
    const { id } = await release();
    await set("moved", "true");
    await unchanged();
    await up();
    const { urn, id: now } = await release();
    assert.match(urn, /team:index:Group\$stackyard:index:Bundle\$/);
    assert.equal(now, id);
  });

  it("delete a resource before its replacement is created", async () => {
    await set("namespace", "kube-public");
    const said = await up();
    const [deleted, created] = [/place deleted original/.exec(said), /place created replacement/.exec(said)];
    assert.ok(deleted && created && deleted.index < created.index, said);
  });

  it("import a resource that the state has lost", async () => {
    const { urn, id = "" } = await named("pool");
    await project.must("pulumi", "state", "delete", urn, "-s", "here", "--yes");
    await set("pool", id);
    assert.match(await up(), /StaticPool pool imported/);
    await unchanged();
  });
});
