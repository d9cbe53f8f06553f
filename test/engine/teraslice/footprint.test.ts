import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { footprint, UID } from "../../../components/teraslice/job/footprint/footprint";
import { jobFaults } from "../../../components/teraslice/job/validate";
import { SECRETIVE, settingsOf } from "../../unit/teraslice/samples";
import { IDS, LEAST } from "../../unit/teraslice/job/samples";
import { testYard } from "../runtime/yard";
import { World } from "../runtime/world";

describe("the footprint of a Teraslice job in Kubernetes", () => {
  let world: World;
  let namespace: string;

  before(async () => {
    world = new World(await testYard());
    namespace = `jobs-${world.tag}`;
    await world.kubectl("create", "namespace", namespace);
  });
  after(async () => {
    await world.kubectl("delete", "namespace", namespace, "--ignore-not-found", "--wait=false");
    world.remove();
  });

  type Master = Parameters<typeof settingsOf>;
  const settingsIn = (settings: object = {}, more: object = {}, ...connectors: object[]) =>
    settingsOf(more, { kubernetes_namespace: namespace, ...settings }, ...(connectors as [Master[2]?]));

  /** Has kubectl make objects, or only ask the API server whether it would. */
  async function create(objects: readonly object[], ...flags: string[]): Promise<void> {
    const file = path.join(world.folder, "objects.json");
    writeFileSync(file, JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }));
    await world.kubectl("create", "--validate=strict", ...flags, "-f", file);
  }
  const asked = (objects: readonly object[]) => create(objects, "--dry-run=server");
  const objectsOf = (job: object, settings = settingsIn()) =>
    Object.values<object>({ ...footprint({ ...LEAST, ...job }, settings, IDS) });

  const everything = {
    name: "  Everything (at once) ",
    stateful: true,
    labels: { "key 1": "value 1" },
    env_vars: { TZ: "UTC", NODE_OPTIONS: "--trace-warnings" },
    targets: [
      { key: "zone", value: "west" },
      { key: "example.com/pool", value: "big", constraint: "preferred" },
      { key: "gpu", value: "true", constraint: "accepted" },
    ],
    volumes: [{ name: "teraslice-data1", path: "/data" }],
    external_ports: [8080, { name: "http-0", port: 9000 }],
    prom_metrics_enabled: true,
    ephemeral_storage: true,
    resources_requests_cpu: 0.25,
    resources_limits_memory: 3147483648,
    pod_spec_override: { containers: [{ imagePullPolicy: "Always" }], hostAliases: [{ ip: "10.0.0.1" }] },
  };
  const generous = {
    kubernetes_overrides_enabled: true,
    kubernetes_worker_antiaffinity: true,
    execution_controller_targets: [{ key: "workload", value: "teraslice" }],
    assets_volume: "shared",
    env_vars: { A: "b" },
  };

  it("is accepted by the API server", async () => {
    await asked(objectsOf({}));
    await asked(objectsOf(everything, settingsIn(generous)));
    await asked(objectsOf(everything, settingsIn(generous, { imagePullSecrets: ["one", "two"] }, SECRETIVE)));
    await asked(objectsOf({ name: "n".repeat(90) }));
    assert.deepEqual(jobFaults({ ...LEAST, ...everything }, settingsIn(generous)), []);
  });

  const refused: readonly (readonly [string, object])[] = [
    ["a dot in its name", { name: "a.b" }],
    ["a name that is cut after a dash", { name: `${"a".repeat(62)}-b` }],
    ["a label that ends in a sign", { labels: { "key2%": "a" } }],
    ["a label's value that ends in a sign", { labels: { a: "b%" } }],
    ["a volume that pods already have", { volumes: [{ name: "config", path: "/a" }] }],
    ["a mount path that is in use", { volumes: [{ name: "a", path: "/app/config" }] }],
    ["a target that is not a label", { targets: [{ key: "a b", value: "c" }] }],
    ["limits below requests", { resources_requests_cpu: 2, resources_limits_cpu: 1 }],
    ["a duplicate port name", { external_ports: [9, 10].map((port) => ({ name: "a", port })) }],
    ["a numeric port name", { external_ports: [{ name: "80", port: 80 }] }],
    ["the port name metrics", { prom_metrics_enabled: true, external_ports: [{ name: "metrics", port: 9 }] }],
    ["a variable that is not a string", { env_vars: { PORT: 8080 } }],
  ];
  for (const [what, job] of refused) {
    it(`is rejected by the API server and by our check with ${what}`, async () => {
      assert.ok(jobFaults({ ...LEAST, ...job }, settingsIn()).some(({ level }) => level === "error"));
      await assert.rejects(asked(objectsOf(job)), /invalid|Invalid|cannot unmarshal|[Dd]uplicate|must be/);
    });
  }

  it("runs and is deleted with the Job", async () => {
    const [controller = {}, ...rest] = objectsOf({ name: "runs" });
    await create([controller]);
    const name = "ts-exc-runs-7ba9afb0-417a";
    const { metadata } = (await world.get("-n", namespace, "job", name)) as { metadata: { uid: string } };
    await create(JSON.parse(JSON.stringify(rest).replaceAll(UID, metadata.uid)) as object[]);
    const workers = "ts-wkr-runs-7ba9afb0-417a";
    await world.kubectl("-n", namespace, "rollout", "status", `deployment/${workers}`, "--timeout=60s");
    await world.kubectl("-n", namespace, "delete", "job", name, "--wait=false");
    await world.kubectl("-n", namespace, "wait", "--for=delete", `deployment/${workers}`, `service/svc-${name}`);
  });
});
