import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import path from "node:path";
import { load } from "js-yaml";
import { blocksOf } from "../../fixtures/pages";
import { testYard } from "../runtime/yard";
import { type Ended, failed, World } from "../runtime/world";

const root = path.join(__dirname, "../../..");
const OWN = /stackyard:clickhouse:\n +own:/;

describe("a deployment's own ClickHouse cluster", () => {
  let world: World;
  let namespace: string;

  /** The page's example, in the yard. */
  function example(change: (text: string) => string = (text) => text): Record<string, unknown> {
    const block = blocksOf("docs/clickhouse.md").find(({ text }) => OWN.test(text));
    assert.ok(block, "the page has no example of a cluster any more");
    const text = block.text
      .replace("~/.kube/config", world.place.kubeconfig)
      .replaceAll("namespace: runtimes", `namespace: ${namespace}`)
      .replace("image: example/runtime", 'image: example/runtime\n        ping: "off"')
      .replaceAll("runtime/examples", path.join(root, "runtime/examples"));
    const { config } = load(change(text)) as { config: Record<string, unknown> };
    return Object.fromEntries(Object.entries(config).map(([key, value]) => [key.replace(/^.*:/, ""), value]));
  }
  const asked = (more: object = {}): Record<string, unknown> => ({
    slots: 1,
    version: "1",
    resources: { clickhouse: {} },
    ...more,
  });
  const secret = async (name: string): Promise<Record<string, string>> => {
    const { data } = (await world.get("-n", namespace, "secret", name)) as unknown as { data: Record<string, string> };
    return Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, Buffer.from(value, "base64").toString()]),
    );
  };
  const replicas = async (name: string): Promise<number> =>
    Number(((await world.get("-n", namespace, "statefulset", name)).spec as { replicas: number }).replicas);
  const claimOf = async (): Promise<string> =>
    (await world.get("-n", namespace, "persistentvolumeclaim", "data-clickhouse-acme-0")).metadata.uid;

  beforeEach(async () => {
    world = new World(await testYard());
    namespace = `chk-${world.tag}`;
  });
  afterEach(() => world.remove());

  it("is created from the templates in the docs, keeps its disk, and is deleted with the deployment", async () => {
    await world.platform(example());
    await world.deployment("acme", asked());
    await world.outputs("acme");
    const own = await secret("clickhouse-cluster-acme");
    const { url, host, port, password } = await secret("clickhouse-runtime-acme");
    assert.deepEqual([host, port, password], [`clickhouse-acme.${namespace}.svc`, "8123", own["password"]]);
    assert.match(url ?? "", /^http:\/\/rill_acme:1Sy!\w+@clickhouse-acme\.[\w-]+\.svc:8123\/rill_acme$/);
    const { spec, metadata } = await world.get("-n", namespace, "statefulset", "clickhouse-acme");
    assert.ok(!JSON.stringify(spec).includes(own["password"] ?? "?"));
    assert.equal(metadata.labels?.["app.kubernetes.io/instance"], "clickhouse-acme");
    const settled = await world.isSettled("acme");
    assert.ok(settled.ok, settled.text);
    const claim = await claimOf();
    const state = await world.state("acme");
    assert.ok(!state.includes(own["password"] ?? "?"), "the password is open in the state");

    // Hibernating stops it, whatever its provisioner has become since.
    const renamed = example((text) =>
      text.replace('version: "26.8"', 'version: "26.9"').replace("    own:", "    new:"),
    );
    await world.configurePlatform(renamed);
    failed(
      await world.pulumi("platform", "up", "-s", world.tag, "--yes", "--skip-preview"),
      /stackyard:clickhouse\.own had 1 deployment: acme/,
    );
    await world.platform({ ...renamed, allowRemoval: ["clickhouse.own"] });
    await world.deployment("acme", asked({ state: "hibernated" }));
    await world.outputs("acme");
    assert.deepEqual([await replicas("clickhouse-acme"), await replicas("runtime-acme")], [0, 0]);
    await world.deployment("acme", asked());
    failed(await world.up("acme"), /clickhouse provisioner "own", which is no longer in the platform's set/);
    assert.deepEqual([await claimOf(), await replicas("clickhouse-acme")], [claim, 0]);

    // Another password for anyone who asks for it; the namespace of the provisioner moves nothing.
    const elsewhere = (text: string) => text.replace(/namespace: \S+(\s+version)/, "namespace: elsewhere$1");
    await world.platform(example(elsewhere));
    await world.deployment("acme", asked({ resources: { clickhouse: { passwordVersion: 2 } } }));
    await world.outputs("acme");
    assert.notEqual((await secret("clickhouse-runtime-acme"))["password"], own["password"]);
    assert.deepEqual(await secret("clickhouse-cluster-acme"), {
      ...own,
      password: (await secret("clickhouse-runtime-acme"))["password"],
    });
    assert.deepEqual([await claimOf(), await replicas("clickhouse-acme")], [claim, 1]);

    // Who no longer asks for it has its disk until the end.
    await world.deployment("acme", { ...asked(), resources: {} });
    await world.outputs("acme");
    assert.deepEqual([await claimOf(), await replicas("clickhouse-acme")], [claim, 0]);
    await assert.rejects(secret("clickhouse-runtime-acme"), /NotFound|not found/);
    await world.destroy("acme");
    assert.deepEqual(await world.objects(namespace), []);
  }).timeout(600_000);

  it("stays with its disk when a copy of the state is destroyed after a change of the runtime alone", async () => {
    await world.platform(example());
    for (const state of ["running", "hibernated"]) {
      await world.deployment("acme", asked({ state }));
      await world.outputs("acme");
    }
    const claim = await claimOf();
    const copy = path.join(world.folder, "copy.json");
    await world.must("runtime", "stack", "export", "-s", "acme", "--show-secrets", "--file", copy);
    await world.deployment("acme", asked({ state: "hibernated", version: "2" }));
    await world.outputs("acme");
    const { PULUMI_BACKEND_URL: backend = "" } = world.surroundings("runtime").env;
    const before = await world.objects(namespace);
    world.setEnv("PULUMI_BACKEND_URL", `file://${mkdtempSync(path.join(world.folder, "copy-"))}`);
    await world.must("runtime", "stack", "init", "acme", "--no-select");
    await world.must("runtime", "stack", "import", "-s", "acme", "--file", copy);
    const text = await world.must("runtime", "destroy", "-s", "acme", "--yes", "--skip-preview");
    assert.match(text, /ConfigMap \S+\/clickhouse-cluster-acme\.owner alone: set \S+\/runtime-acme belongs to stack/);
    world.setEnv("PULUMI_BACKEND_URL", backend);
    assert.deepEqual([await world.objects(namespace), await claimOf()], [before, claim]);
    await world.destroy("acme");
    assert.deepEqual(await world.objects(namespace), []);
  }).timeout(600_000);

  it("is rejected before anything is created if its templates lack a service or port", async () => {
    const noService = (text: string) => text.replace(/^ +service: .*$/m, "          helpers: []");
    failed(await refused(noService), /clickhouse\.own\.spec\.templates\.service: found nothing; expected a service/);
    const file = path.join(world.folder, "service.yaml");
    writeFileSync(file, "apiVersion: v1\nkind: Service\nspec: { ports: [{ name: native, port: 9000 }] }\n");
    const wrongPort = (text: string) => text.replace(/service: \S*service\.yaml\.tmpl/, `service: ${file}`);
    await world.platform(example(wrongPort));
    await world.deployment("acme", asked());
    failed(await world.up("acme"), /clickhouse provisioner "own": found no port named http or https/);
    assert.deepEqual(await world.objects(namespace), []);
  });

  async function refused(change: (text: string) => string): Promise<Ended> {
    await world.configurePlatform(example(change));
    return world.pulumi("platform", "preview", "-s", world.tag);
  }
});
