import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { load } from "js-yaml";
import { ClickHouseDouble } from "../../doubles/clickhouse";
import { blocksOf, stackFileOf } from "../../fixtures/pages";
import { testYard } from "../runtime/yard";
import { failed, World } from "../runtime/world";
import { kubernetesProvisioner } from "../runtime/provisioner";
import { secure } from "../../tools/warmPulumi/stackFile";

const STATEFULSET = `
apiVersion: apps/v1
kind: StatefulSet
spec:
  replicas: 1
  selector: { matchLabels: { app: {{ .Names.StatefulSet }} } }
  serviceName: {{ .Names.Service }}
  template:
    metadata: { labels: { app: {{ .Names.StatefulSet }} } }
    spec:
      containers:
        - name: runtime
          image: "{{ .Image }}:{{ .ImageTag }}"
          ENV
`;

/** The block of the page that has this text. */
const shown = (text: string): string =>
  blocksOf("docs/clickhouse.md").find((block) => block.text.includes(text))?.text ?? "";

describe("a deployment's database on a ClickHouse server", () => {
  let world: World;
  let server: ClickHouseDouble;
  let namespace: string;
  const url = (): string => server.url();

  async function setUrl(provisioner: string, value: string): Promise<void> {
    const key = `stackyard:clickhouse.${provisioner}.spec.url`;
    await world.must("platform", "config", "set", "-s", world.tag, "--secret", "--path", key, value);
  }

  /** Deploys the platform with these provisioners of databases, each by its URL. */
  async function platform(config: object, urls: Readonly<Record<string, string>>): Promise<void> {
    const { ledgerUrl } = world.place;
    await world.configurePlatform({ ...config, ledger: secure(ledgerUrl) });
    for (const [name, value] of Object.entries(urls)) await setUrl(name, value);
    await world.must("platform", "up", "-s", world.tag, "--yes", "--skip-preview");
  }

  const template = (): string => {
    const file = path.join(world.folder, "statefulset.yaml");
    writeFileSync(
      file,
      STATEFULSET.replace(/^( *)ENV$/m, (_, indent: string) => shown("CLICKHOUSE_DSN").replace(/^/gm, indent)),
    );
    return file;
  };
  const up = async (id: string): Promise<void> => {
    await world.outputs(id);
  };
  const shared = (more: object = {}) => ({ type: "static", spec: { sources: ["S3"], ...more } });
  const configOf = (clickhouse: object): object => ({
    cluster: { type: "existing", kubeconfig: { path: world.place.kubeconfig } },
    provisioners: {
      one: kubernetesProvisioner(namespace, { templates: { statefulset: template() } }),
    },
    defaultProvisioner: "one",
    clickhouse,
  });
  const asked = (more: object = {}): Record<string, unknown> => ({
    slots: 1,
    version: "1",
    resources: { clickhouse: {} },
    ...more,
  });
  const secretOf = async (name: string): Promise<Record<string, string>> => {
    const { data } = (await world.get("-n", namespace, "secret", name)) as unknown as { data: Record<string, string> };
    return Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, Buffer.from(value, "base64").toString()]),
    );
  };

  beforeEach(async () => {
    server = await new ClickHouseDouble().start();
    world = new World(await testYard());
    namespace = `ch-${world.tag}`;
  });
  afterEach(async () => {
    world.remove();
    await server.stop();
  });

  it("is used by the runtime, keeps its data through changes, and is deleted with the deployment", async () => {
    await platform(configOf({ shared: shared() }), { shared: url() });
    await world.deployment("acme", asked());
    await up("acme");

    // The pod has the name of the Secret and no password.
    const secret = await secretOf("clickhouse-runtime-acme");
    assert.equal(secret["database"], "rill_acme");
    const { spec } = await world.get("-n", namespace, "statefulset", "runtime-acme");
    const pod = JSON.stringify(spec.template);
    assert.match(pod, /"secretKeyRef":{"key":"url","name":"clickhouse-runtime-acme"}/);
    assert.doesNotMatch(pod + Object.keys(secret).join(), /writer/i);
    assert.ok(!pod.includes(secret["password"] ?? "?"));
    const settled = await world.isSettled("acme");
    assert.ok(settled.ok, settled.text);
    const user = server.users.get("rill_acme");
    const table = server.databases.get("rill_acme");
    table?.tables.add("events");

    // Hibernating asks nothing of the server, which may be away.
    server.away = 1000;
    await world.deployment("acme", asked({ state: "hibernated" }));
    await up("acme");
    server.away = 0;
    assert.deepEqual([server.users.get("rill_acme"), server.databases.get("rill_acme")], [user, table]);
    await world.deployment("acme", asked());

    // Another server is refused before anything is done, in either place.
    const other = await new ClickHouseDouble().start();
    try {
      await setUrl("shared", other.url());
      await world.must("platform", "up", "-s", world.tag, "--yes", "--skip-preview");
      failed(await world.pulumi("runtime", "preview", "-s", "acme"), /rill_acme is not on .* data is not copied/);
      failed(await world.pulumi("runtime", "up", "-s", "acme", "--yes", "--skip-preview"), /is not on/);
      assert.deepEqual([...other.databases.keys()], ["default"]);
    } finally {
      await other.stop();
    }
    await setUrl("shared", url().replace("127.0.0.1", "localhost"));
    await world.must("platform", "up", "-s", world.tag, "--yes", "--skip-preview");
    await up("acme");
    assert.equal((await secretOf("clickhouse-runtime-acme"))["host"], "localhost");

    // Who no longer asks can't enter; who asks again finds the data.
    await world.deployment("acme", { ...asked(), resources: {} });
    await up("acme");
    assert.ok(!server.users.has("rill_acme"));
    await assert.rejects(secretOf("clickhouse-runtime-acme"), /NotFound|not found/);
    await world.deployment("acme", asked({ resources: { clickhouse: { passwordVersion: 2 } } }));
    await up("acme");
    assert.deepEqual([...(server.databases.get("rill_acme")?.tables ?? [])], ["events"]);

    const password = (await secretOf("clickhouse-runtime-acme"))["password"] ?? "?";
    const state = await world.must("runtime", "stack", "export", "-s", "acme");
    for (const hidden of [password, "s3cret"]) assert.ok(!state.includes(hidden), "a secret is open in the state");
    await world.destroy("acme");
    assert.deepEqual([[...server.databases.keys()], [...server.users.keys()]], [["default"], ["admin"]]);
  }).timeout(600_000);

  it("can have a separate writer URL, which is added and removed without changes on the server", async () => {
    await platform(configOf({ shared: shared() }), { shared: url() });
    await world.deployment("acme", asked());
    await up("acme");
    const before = await secretOf("clickhouse-runtime-acme");
    const made = [...server.log];

    const page = load(shown("runtimeWriterUrl")) as { "stackyard:clickhouse": { main: { spec: object } } };
    const { main } = page["stackyard:clickhouse"];
    await platform(configOf({ shared: shared({ ...main.spec, url: undefined }) }), { shared: url() });
    await up("acme");
    const { writerUrl, ...secret } = await secretOf("clickhouse-runtime-acme");
    const user = `rill_acme:${encodeURIComponent(before["password"] ?? "?")}`;
    assert.equal(writerUrl, `https://${user}@primary.ch.example.com:8443/rill_acme`);
    assert.equal(secret["url"], `https://${user}@replicas.ch.example.com:8443/rill_acme`);
    const pod = async () => JSON.stringify((await world.get("-n", namespace, "statefulset", "runtime-acme")).spec);
    assert.match(await pod(), /"CLICKHOUSE_WRITE_DSN","valueFrom":{"secretKeyRef":{"key":"writerUrl"/);
    const settled = await world.isSettled("acme");
    assert.ok(settled.ok, settled.text);

    await platform(configOf({ shared: shared() }), { shared: url() });
    await up("acme");
    assert.deepEqual(await secretOf("clickhouse-runtime-acme"), before);
    assert.doesNotMatch(await pod(), /writer/i);
    assert.equal(made.filter((each) => /CREATE DATABASE IF/.test(each)).length, 1);
  }).timeout(600_000);

  it("is neither used nor dropped if it belongs to another stack", async () => {
    const theirs = { comment: '{"stackyard":"5e1f","of":"organization/stackyard/dev/acme"}', tables: new Set(["t"]) };
    server.databases.set("rill_acme", theirs);
    await platform(configOf({ shared: shared() }), { shared: url() });
    await world.deployment("acme", asked());
    const message = /database rill_acme .* belongs to another owner/;
    failed(await world.pulumi("runtime", "preview", "-s", "acme"), message);
    failed(await world.pulumi("runtime", "up", "-s", "acme", "--yes", "--skip-preview"), message);
    assert.deepEqual(await world.objects(namespace), []);

    // One that was made, and given to somebody else since.
    server.databases.delete("rill_acme");
    await up("acme");
    server.databases.set("rill_acme", theirs);
    const text = await world.must("runtime", "destroy", "-s", "acme", "--yes", "--skip-preview");
    assert.match(text, /stays, and so does its user: it belongs to another owner/);
    assert.ok(server.databases.has("rill_acme") && server.users.has("rill_acme"));
  });

  it("is created by the example in the docs", async () => {
    const { config } = load(stackFileOf("docs/clickhouse.md")) as { config: Record<string, unknown> };
    const fields = Object.fromEntries(Object.entries(config).map(([key, value]) => [key.replace(/^.*:/, ""), value]));
    const { clickhouse } = fields;
    const text = JSON.stringify({ ...fields, ledger: undefined }).replace(
      "runtime-1.example.org",
      `runtime-1.${world.tag}.example.org`,
    );
    const main = (clickhouse as { main: { spec: { url?: unknown } } }).main;
    delete main.spec.url;
    await platform({ ...(JSON.parse(text) as object), clickhouse }, { main: url() });
    await world.deployment("acme", { slots: 2, version: "0.50.0", resources: { clickhouse: { provisioner: "main" } } });
    const { clickhouse: shown } = await world.outputs("acme");
    assert.equal(shown, "[secret]");
    const output = ["stack", "output", "-s", "acme", "clickhouse", "--json"];
    const access = JSON.parse(await world.must("runtime", ...output, "--show-secrets")) as object;
    assert.deepEqual(Object.keys(access), ["database", "host", "password", "port", "secure", "user"]);
    await world.destroy("acme");
    assert.ok(!server.databases.has("rill_acme"));
  });
});
