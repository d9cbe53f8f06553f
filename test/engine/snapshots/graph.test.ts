import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { ChartRepository } from "../../doubles/chartRepository";
import { committedConfig, configure, doubleCharts, withNodes, worldWithAws } from "../eks/world";
import type { World } from "../runtime/world";
import { load } from "js-yaml";
import { stackFileOf } from "../../fixtures/pages";
import { UNKNOWN } from "../../../foundation/pulumi/resource";
import { addMonitors, removeMonitors } from "../service/monitors";
import { testYard } from "../runtime/yard";
import { deletedBefore, isGuard, kindOf } from "./deletionOrder";
import { graphOf } from "./graph";
import { secure } from "../../tools/warmPulumi/stackFile";

type Config = Readonly<Record<string, object>>;

const ENCRYPTION_KEY = `${"s3cretOfTheDatabase".padEnd(43, "A")}=`;
const root = path.join(__dirname, "../../..");
const fileOf = (stage: string): string => path.join(root, "test/fixtures/graphs", `${stage}.json`);

/**
 * What each environment consists of, as committed. A change of the program shows in the diff of these files; they are
 * written again by `UPDATE_SNAPSHOTS=1 npx mocha --config .mocharc.engine.yaml --spec test/engine/snapshots/graph.test.ts`.
 */
describe("the graph of", function () {
  this.timeout(60_000);
  let world: World;
  let repository: ChartRepository;
  let charts: object;

  before(async () => {
    world = worldWithAws(await testYard());
    ({ repository, charts } = await doubleCharts(world.folder));
  });
  after(async () => {
    await removeMonitors(world);
    await repository.stop();
    world.remove();
  });

  const plain = (text: string): string =>
    text
      .replaceAll(world.place.kubeconfig, "KUBECONFIG")
      .replaceAll(world.folder, "FOLDER")
      .replaceAll(root, "CHECKOUT")
      .replaceAll(UNKNOWN, "(known when it is made)")
      .replace(/("(?:clusterIdentifier|identifier)":\s*")[0-9a-f-]{36}/g, "$1CLUSTER")
      .replace(/("instance":\s*")[0-9a-f]{64}/g, "$1INSTANCE")
      .replace(/https:\/\/127\.0\.0\.1:\d+/g, "https://SERVER")
      .replace(/http:\/\/127\.0\.0\.1:\d+/g, "http://CHARTS")
      .replace(/("stackyard\.dev\/secret": ")[0-9a-f]+/g, "$1CHECKSUM")
      // Its values have the checksum.
      .replace(/("digest":\s*")sha256:[0-9a-f]{64}(",\s*"name":\s*"jupyterhub")/g, "$1CHECKSUM$2")
      .replace(/(-migrations-)[0-9a-f]{8}/g, "$1CHECKSUM");

  const ledger = (): object => secure(world.place.ledgerUrl);

  /** The committed stack file. */
  const withCommitted = async (stage: string): Promise<void> => {
    const [file = "", nodes] = stage.split("-");
    const local = (text: string): string =>
      text
        .replace("path: .yard/kubeconfig", `path: ${world.place.kubeconfig}`)
        .replace(/(docs\/examples\/\S+)/g, `${root}/$1`);
    const committed = committedConfig(file, local);
    const config = { ...(nodes === undefined ? committed : withNodes(committed, nodes as "auto")), charts };
    if (stage === "dev") await world.configure("platform", stage, "stackyard", { ...config, ledger: ledger() });
    else await configure(world, stage, config);
  };

  /** The example of the service's page, with all that it may have. */
  const withService = async (stage: string): Promise<void> => {
    const page = load(stackFileOf("docs/service-deployment.md")) as { config: Record<string, object> };
    const config = Object.fromEntries(
      Object.entries(page.config).map(([key, each]) => [key.replace(/^.*:/, ""), each]),
    );
    const { secrets, ...service } = config["service"] as { readonly secrets: object };
    const all = { ...service, serviceMonitor: { enabled: true, labels: { release: "prometheus" } } };
    const cluster = { type: "existing", kubeconfig: { path: world.place.kubeconfig } };
    await addMonitors(world);
    const values = Object.keys(secrets).map((name) => {
      const value = name === "encryptionKeys" ? `k1:${ENCRYPTION_KEY}` : `postgres://s3cret-of-auth0@db/${name}`;
      return [name, secure(value)] as const;
    });
    const withSecrets = { ...all, secrets: Object.fromEntries(values) };
    await world.configure("platform", stage, "stackyard", { ...config, cluster, service: withSecrets });
  };

  it("a platform with every feature deletes nothing before its guards are checked", async () => {
    const stage = "dev-everything"; // Only such a stack may let anybody into JupyterHub.
    const local = (text: string): string =>
      text
        .replaceAll(/path: \.yard\/(shoots\/gardener-)?kubeconfig/g, `path: ${world.place.kubeconfig}`)
        .replaceAll(/(docs\/examples\/\S+|runtime\/examples\/kyma-module)/g, `${root}/$1`);
    const [committed, garden] = ["dev", "gardener"].map((name) => committedConfig(name, local)) as [Config, Config];
    const head = { cpu: 1, memoryGb: 1 };
    const template = (name: string): string => `${root}/runtime/examples/clickhouse/${name}.yaml.tmpl`;
    const templates = {
      configMap: template("configmap"),
      statefulset: template("statefulset"),
      service: template("service"),
    };
    await world.configure("platform", stage, "stackyard", {
      ...{ ...committed, charts },
      ledger: ledger(),
      provisioners: { ...committed["provisioners"], ...garden["provisioners"] },
      ray: { ...committed["ray"], operated: { mode: "kuberay", pool: "", reservedCpu: 0, reservedMemoryGb: 0, head } },
      clickhouse: {
        own: { type: "kubernetes", spec: { namespace: "runtimes", version: "26.8", templates } },
        shared: { type: "static", default: true, spec: { url: secure("https://a:s3cret@ch.example.com:8443") } },
      },
    });
    const nodes = graphOf(await world.must("platform", "preview", "-s", stage, "--json"), plain);
    const guards = nodes.filter(isGuard);
    assert.deepEqual([...new Set(guards.map(kindOf))].sort(), ["DataGuard", "ProvisionerRegistration", "StaticPool"]);
    for (const guard of guards) assert.deepEqual(deletedBefore(nodes, guard), [], `before ${guard.name} is asked`);
  });

  for (const stage of ["dev", "staging", "prod", "staging-karpenter", "staging-auto", "service"]) {
    it(`${stage} matches the committed graph and contains no secret`, async () => {
      if (stage === "service") await withService(stage);
      else await withCommitted(stage);
      const graph = graphOf(await world.must("platform", "preview", "-s", stage, "--json"), plain);
      const text = `${JSON.stringify(graph, undefined, 1)}\n`;
      assert.doesNotMatch(text, /s3cret-of-auth0|s3cretOfTheDatabase|PRIVATE KEY|client-key-data: [A-Za-z0-9+/]/);
      if (process.env["UPDATE_SNAPSHOTS"]) writeFileSync(fileOf(stage), text);
      assert.deepEqual(graph, JSON.parse(readFileSync(fileOf(stage), "utf8")));
    });
  }
});
