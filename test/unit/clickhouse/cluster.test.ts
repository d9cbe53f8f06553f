import assert from "node:assert/strict";
import { type ClusterPlan, type PresentCluster } from "../../../components/runtime/clickhouse/cluster/plan";
import { clusterIn } from "../../../components/runtime/clickhouse/cluster/present";
import { serviceReach } from "../../../components/runtime/clickhouse/prepare";
import { planClickHouse } from "../../../components/runtime/clickhouse/plan";
import type { PresentDatabase } from "../../../components/runtime/clickhouse/present";
import type { ClickHouseProvisioner, TemplatedClickHouse } from "../../../components/runtime/clickhouse/settings";
import type { Manifest } from "../../../components/runtime/templates/render";
import { decode, goodWith, linesOf } from "../config/fixtures";

const own: TemplatedClickHouse = {
  type: "kubernetes",
  kubeconfig: "a kubeconfig",
  cluster: "https://eu",
  namespace: "clickhouse",
  image: "clickhouse/clickhouse-server",
  version: "26.8",
  timeoutSeconds: 300,
  templates: [{ key: "statefulset", file: "s.yaml", text: "kind: StatefulSet" }],
  prefix: "rill_",
  passwordVersion: 1,
  default: false,
};
const OBJECTS: Manifest[] = [
  { kind: "StatefulSet", metadata: { name: "clickhouse-acme" }, spec: { replicas: 2 } },
  { kind: "Service", metadata: { name: "clickhouse-acme" }, spec: { ports: [{ name: "http", port: 8123 }] } },
];

interface Asked {
  readonly clickhouse?: object;
  readonly state?: "hibernated";
  readonly set?: Record<string, ClickHouseProvisioner>;
  readonly present?: PresentCluster | PresentDatabase;
}

function plan({ clickhouse, state, set = { own }, present }: Asked): ClusterPlan | undefined {
  const slot = { cpu: 1, memoryGb: 4, diskGb: 40 };
  const platform = { provisioners: {}, defaultProvisioner: "", environments: {}, slot, clickhouse: set };
  const deployment = { id: "acme", slots: 2, version: "1", environment: "prod", annotations: { team: "blue" } };
  const asked = {
    ...deployment,
    state: state ?? ("running" as const),
    ...(clickhouse && { resources: { clickhouse } }),
  };
  const planned = planClickHouse(platform, asked, "org/stackyard/dev", present);
  assert.notEqual(planned?.type, "static");
  return planned as ClusterPlan | undefined;
}

/** The state of a stack that was deployed with this plan. */
function presentOf(planned: ClusterPlan | undefined): PresentCluster {
  const reach = { host: "clickhouse-acme.clickhouse.svc", port: 8123, secure: false };
  const record = { clickhouse: { ...planned?.names, ...reach, access: planned?.access } };
  const outputs = { ...planned?.place, objects: OBJECTS, timeoutSeconds: 300, record };
  const present = clusterIn({
    "urn:other": { type: "stackyard:index:ManifestSet", outputs: { record: { deployment: {} } } },
    "urn:own": { type: "stackyard:index:ManifestSet", outputs },
  });
  assert.ok(present);
  return present;
}

describe("the ClickHouse cluster of a deployment", () => {
  it("is rendered with the size of the deployment and names of its own", () => {
    const { objects, place, names, secret, ownSecret } = plan({ clickhouse: {} }) ?? {};
    assert.ok(objects && "values" in objects);
    const { prefix, image, imageTag, cpu, memoryGb, storageBytes, annotations, hibernated } = objects.values;
    assert.deepEqual([prefix, image, imageTag], ["clickhouse", "clickhouse/clickhouse-server", "26.8"]);
    assert.deepEqual([cpu, memoryGb, storageBytes, hibernated], [2, 8, 80 * 2 ** 30, false]);
    assert.deepEqual(annotations, { team: "blue" });
    assert.equal(objects.values.clickhouse?.secret, ownSecret);
    assert.deepEqual(place, { kubeconfig: "a kubeconfig", cluster: "https://eu", namespace: "clickhouse" });
    assert.deepEqual([secret, ownSecret], ["clickhouse-runtime-acme", "clickhouse-cluster-acme"]);
    assert.deepEqual(names, {
      provisioner: "own",
      database: "rill_acme",
      user: "rill_acme",
      passwordVersion: "1.1",
    });
  });

  it("is stopped unchanged while its deployment is hibernated, with the current kubeconfig", () => {
    const present = presentOf(plan({ clickhouse: {} }));
    const changed = { own: { ...own, kubeconfig: "renewed", namespace: "other", version: "27.1", passwordVersion: 2 } };
    const { objects, place, names } = plan({ clickhouse: {}, state: "hibernated", set: changed, present }) ?? {};
    assert.ok(objects && "kept" in objects);
    assert.deepEqual(objects.kept, [{ ...OBJECTS[0], spec: { replicas: 0 } }, OBJECTS[1]]);
    assert.deepEqual([place?.kubeconfig, place?.namespace, names?.passwordVersion], ["renewed", "clickhouse", "1.1"]);
    assert.equal(plan({ clickhouse: {}, state: "hibernated", set: {}, present })?.place.kubeconfig, "a kubeconfig");
  });

  it("is stopped, but kept, when it is no longer requested", () => {
    const present = presentOf(plan({ clickhouse: {} }));
    const closed = plan({ present, set: {} });
    assert.ok(closed && "kept" in closed.objects);
    assert.equal(closed.access, false);
    assert.equal(plan({ clickhouse: {}, present: presentOf(closed) })?.access, true);
  });

  it("keeps its namespace and names, and rejects another type of provisioner", () => {
    const present = presentOf(plan({ clickhouse: {} }));
    const moved = plan({ clickhouse: {}, set: { own: { ...own, namespace: "other", prefix: "new_" } }, present });
    assert.deepEqual([moved?.place.namespace, moved?.names.database], ["clickhouse", "rill_acme"]);
    const shared = { url: "http://ch", prefix: "rill_", sources: [], passwordVersion: 1, default: true };
    const set = { own, shared: { ...shared, type: "static" as const, databaseWhenDeleted: "Delete" as const } };
    assert.throws(
      () => plan({ clickhouse: { provisioner: "shared" }, set, present }),
      /has its database with a clickhouse provisioner of another type than "shared" has; its data is not copied/,
    );
  });

  it("is reached by the https port of its service, otherwise the http port, or by a configured URL", () => {
    const planned = plan({ clickhouse: {} });
    assert.ok(planned);
    const reach = (ports: object[], url?: string) =>
      serviceReach(planned, url, [{ kind: "Service", metadata: { name: "clickhouse-acme" }, spec: { ports } }]);
    const http = { name: "http", port: 80 };
    const host = "clickhouse-acme.clickhouse.svc";
    assert.deepEqual(reach([http]), { host, port: 80, secure: false });
    assert.deepEqual(reach([http, { name: "https", port: 8443 }]), { host, port: 8443, secure: true });
    assert.deepEqual(reach([], "https://*.ch.example.com"), { host: "acme.ch.example.com", port: 8443, secure: true });
    assert.throws(() => reach([{ name: "native", port: 9000 }]), /found no port named http or https/);
  });
});

describe("the config of ClickHouse clusters", () => {
  const templates = { statefulset: "templates/statefulset.yaml" };
  const runtimeUrl = "http://*.ch";
  const configOf = (spec: object, more: object = {}) =>
    goodWith({
      clickhouse: {
        own: {
          type: "kubernetes",
          ...more,
          spec: { namespace: "ch", version: "26.8", runtimeUrl, templates, ...spec },
        },
      },
    });

  it("has the texts of its templates, and defaults", () => {
    const { clickhouse } = decode(configOf({}));
    const { own: decoded } = clickhouse;
    assert.ok(decoded?.type === "kubernetes");
    assert.equal(decoded.access, undefined);
    const { image, prefix, timeoutSeconds, default: isDefault } = decoded.settings;
    assert.deepEqual([image, prefix, timeoutSeconds, isDefault], ["clickhouse/clickhouse-server", "rill_", 300, false]);
    assert.deepEqual(
      decoded.settings.templates.map(({ key }) => key),
      ["statefulset"],
    );
  });

  it("reports every fault with its path", () => {
    assert.deepEqual(linesOf(configOf({ version: "latest", templates: { helpers: [] } })), [
      'clickhouse.own.spec.version: found "latest"; expected an image tag in quotes, such as "26.8"',
    ]);
    assert.deepEqual(linesOf(configOf({ runtimeUrl: undefined, templates: {} })), [
      "clickhouse.own.spec.templates: found neither; expected either statefulset or deployment",
      "clickhouse.own.spec.templates.service: found nothing; expected a service, by which runtimes reach it, or runtimeUrl",
    ]);
    assert.match(
      linesOf(configOf({ templates: { ...templates, configMap: "none.yaml" } })).join(),
      /clickhouse\.own\.spec\.templates\.configMap: found "none\.yaml", .*; expected a template file/,
    );
    assert.match(
      linesOf(configOf({ kubeconfig: { path: "none" } })).join(),
      /clickhouse\.own\.spec\.kubeconfig\.path: found "none"/,
    );
    assert.match(linesOf(configOf({ url: "http://ch" })).join(), /clickhouse\.own\.spec\.url: found an unknown key/);
  });
});
