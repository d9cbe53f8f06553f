import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { Described, changeJob, registerJob, turn } from "../../../cli/teraslice/entries";
import { flagOf, whichMaster } from "../../../cli/teraslice/which";
import { StackFile } from "../../../engine/stack/file";
import { imagesOf } from "../../../components/platform/facts";
import { Cluster } from "../../../components/cluster/cluster";
import { decodeTerasliceAlone } from "../../../components/teraslice/config/alone";
import { terasliceMasters } from "../../../components/teraslice/cluster/masters";
import { warnOfDisabled } from "../../../components/platform/checks/disabled";
import { decode, FILES, goodWith, linesOf } from "../config/fixtures";
import { mock, settled, valueOf } from "../runtime/mocks";
import { CONNECTORS, withTeraslice } from "./samples";

const JOB = { name: "events", lifecycle: "persistent", workers: 1, operations: [{ _op: "a" }, { _op: "b" }] };
const IMAGE = "ghcr.io/terascope/teraslice:v3.14.0-nodev24.18.0";

const master = (settings: object = {}, more: object = {}) => ({
  settings,
  terafoundation: { connectors: CONNECTORS },
  ...more,
});
/** A platform's config with these masters by name, besides the one of `teraslice`, which is called teracluster. */
const withMasters = (terasliceClusters: object, ...single: Parameters<typeof withTeraslice>) => ({
  ...withTeraslice(...single),
  terasliceClusters,
});

function fault(expected: RegExp, values: Record<string, unknown>): void {
  const lines = linesOf(values);
  assert.equal(lines.length, 1, lines.join("\n"));
  assert.match(lines[0] ?? "", expected);
}

describe("several Teraslice masters of a platform", () => {
  it("are named by their keys unless their settings set another name", () => {
    const { teraslice, terasliceClusters } = decode(
      withMasters({ search: master(), acme: master({ name: "teraslice-old" }) }),
    );
    assert.equal(teraslice?.teraslice.name, "teracluster");
    const names = Object.entries(terasliceClusters).map(([key, one]) => [key, one.teraslice.name]);
    assert.deepEqual(names, [
      ["acme", "teraslice-old"],
      ["search", "search"],
    ]);
    assert.equal(terasliceClusters["search"]?.teraslice.kubernetes_config_map_name, "search-worker");
    const alone = decode({ ...goodWith({}), terasliceClusters: { search: master() } });
    assert.equal(alone.teraslice, undefined);
    assert.ok(alone.terasliceClusters["search"]);
  });

  it("are checked with the paths of their own config", () => {
    fault(/^terasliceClusters\.search\.settings\.port: found 0/, withMasters({ search: master({ port: 0 }) }));
    fault(
      /^terasliceClusters\.search\.jobs\.events\.job\.workers: found 0/,
      withMasters({ search: master({}, { jobs: { events: { job: { ...JOB, workers: 0 } } } }) }),
    );
    fault(/^terasliceClusters\.default: .*another name, because default is/, withMasters({ default: master() }));
    const masters = {
      search: master({ brand_new: 1 }, { rbac: "original" }),
      off: master({ odd: 1 }, { enabled: false }),
    };
    const { warnings } = decode(withMasters(masters));
    assert.equal(warnings.length, 2);
    assert.match(warnings[0] ?? "", /^stackyard:terasliceClusters\.search\.rbac is original, which is broad/);
    assert.match(warnings[1] ?? "", /^stackyard:terasliceClusters\.search\.settings\.brand_new: found an unknown key/);
    assert.deepEqual(linesOf({ ...goodWith({}), terasliceClusters: {} }), []);
    assert.match(
      linesOf({ ...withMasters({ search: master() }), teraslice: {}, cluster: {} }).join("\n"),
      /expected a cluster, because Teraslice runs in it/,
    );
  });

  it("cannot share a name, a node port or object names", () => {
    fault(
      /^terasliceClusters\.search\.settings\.name: found "teracluster"; expected another name than that of teraslice/,
      withMasters({ search: master({ name: "teracluster" }) }),
    );
    fault(
      /^terasliceClusters\.teracluster\.settings\.name: found nothing, which means teracluster; expected another/,
      withMasters({ teracluster: master({ kubernetes_namespace: "other" }) }),
    );
    const service = { service: { type: "NodePort", nodePort: 30_678 } };
    fault(/search\.service\.nodePort: found 30678; expected another port than that of teraslice/, {
      ...withMasters({ search: master({}, service) }, service),
    });
    fault(
      /^terasliceClusters\.search: found objects that teraslice makes too: Role default\/teraslice-all-default, /,
      withMasters({ search: master({}, { rbac: "original" }) }, { rbac: "original" }),
    );
    fault(
      /makes too: ConfigMap default\/shared/,
      withMasters(
        { search: master({ kubernetes_config_map_name: "shared" }) },
        {},
        { kubernetes_config_map_name: "shared" },
      ),
    );
  });

  it("can share a namespace that none of them creates", () => {
    const ts = { kubernetes_namespace: "ts" };
    assert.deepEqual(linesOf(withMasters({ search: master(ts), lake: master(ts) }, {}, ts)), []);
    const lines = linesOf(withMasters({ search: master(ts, { createNamespace: true }) }, {}, ts));
    assert.match(lines.join("\n"), /because the Teraslice master of teraslice is in the namespace ts too/);
    // Each its own.
    const made = withMasters({ search: master({ kubernetes_namespace: "search" }, { createNamespace: true }) }, {}, ts);
    assert.deepEqual(linesOf(made), []);
  });

  it("are disabled separately, and a disabled master causes no conflict", () => {
    const off = decode(withMasters({ search: master({ name: "teracluster" }, { enabled: false }), lake: master() }));
    assert.deepEqual(Object.keys(off.terasliceClusters), ["lake"]);
    const [disabled] = off.disabled;
    assert.deepEqual(
      [disabled?.component, disabled?.resource],
      ["terasliceClusters.search", "teraslice-search-objects"],
    );
  });

  it("cause a warning about a disabled master only if it runs", async () => {
    const urn = (name: string) =>
      `urn:pulumi:dev::stackyard::stackyard:index:TerasliceCluster$stackyard:index:ManifestSet::${name}`;
    const warned: string[] = [];
    const { warn } = pulumi.log;
    const define = (value: unknown) =>
      Object.defineProperty(pulumi.log, "warn", { configurable: true, writable: true, value });
    define((text: string) => Promise.resolve(void warned.push(text)));
    try {
      const values = withMasters({ search: master({}, { enabled: false }), lake: master({}, { enabled: false }) });
      const state = { [urn("teraslice-lake-objects")]: { type: "", outputs: {} } };
      await warnOfDisabled(decode(values).disabled, Promise.resolve(state));
    } finally {
      define(warn);
    }
    assert.equal(warned.length, 1);
    assert.match(warned[0] ?? "", /^stackyard:terasliceClusters\.lake is disabled: its jobs continue/);
  });

  it("are separate components, and the default master keeps its resource names", async () => {
    const recorder = mock(
      () => ({}),
      () => ({}),
    );
    const jobs = { events: { job: JOB } };
    const config = decode(withMasters({ search: master({}, { jobs }) }, { jobs }));
    const cluster = new Cluster("cluster", { existing: { kubeconfig: "clusters: []", server: "https://10.0.0.1" } });
    const { outputs, clusters } = terasliceMasters(config, cluster);
    await settled(recorder);
    const names = recorder.resources.filter(({ type }) => /Teraslice|ManifestSet/.test(type)).map((one) => one.name);
    assert.deepEqual(names.sort(), [
      "teraslice",
      "teraslice-jobs",
      "teraslice-jobs/events",
      "teraslice-objects",
      "teraslice-search",
      "teraslice-search-jobs",
      "teraslice-search-jobs/events",
      "teraslice-search-objects",
    ]);
    const of = (name: string) => recorder.resources.find((one) => one.name === name)?.inputs ?? {};
    assert.deepEqual(
      ["teraslice-jobs/events", "teraslice-search-jobs/events"].map((name) => of(name)["service"]),
      ["teracluster-master", "search-master"],
    );
    assert.equal(clusters.length, 2);
    assert.ok(outputs.teraslice && outputs.terasliceClusters?.["search"]);
    assert.equal((await valueOf(outputs.terasliceClusters["search"])).service, "search-master");
  });

  it("are included in the images of a stack, and come from its mirror", () => {
    const container = (name: string) => ({ name, image: `quay.io/a/${name}:1` });
    const beside = { master: { containers: [container("logs")] }, worker: { initContainers: [container("first")] } };
    const config = decode({
      ...withMasters({ search: master({}, { image: IMAGE, ...beside }) }),
      images: { mirror: "mirror.example" },
    });
    const own = imagesOf(config).filter(({ component }) => component === "terasliceClusters");
    assert.deepEqual(
      own.map(({ role, image }) => [role, image]),
      [
        ["search master", IMAGE.replace("ghcr.io", "mirror.example")],
        ["search jobs", IMAGE.replace("ghcr.io", "mirror.example")],
        ["search master beside", "mirror.example/a/logs:1"],
        ["search jobs beside", "mirror.example/a/first:1"],
      ],
    );
  });
});

describe("the Teraslice master of a command", () => {
  it("is the named master, else the default master, else the only master", () => {
    assert.equal(whichMaster(undefined, ["default", "search"], "x"), "default");
    assert.equal(whichMaster(undefined, ["search"], "x"), "search");
    assert.equal(whichMaster("search", ["default", "search"], "x"), "search");
    assert.throws(
      () => whichMaster(undefined, ["a", "b"], "the file"),
      /the file has several .*: a, b; choose one with --cluster/,
    );
    assert.throws(() => whichMaster("c", ["a", "b"], "the file"), /the file has no Teraslice cluster c; it has a, b/);
    assert.deepEqual([flagOf({}), flagOf({ cluster: "a" })], ["", " --cluster a"]);
  });

  it("is changed in the stack file where it is described", () => {
    const file = StackFile.of(
      "config:\n  stackyard:teraslice:\n    image: a\n  stackyard:terasliceClusters:\n    search:\n      image: b\n",
    );
    const search = Described.find(file, "search");
    registerJob(search, "jobs/events.json", undefined, "/project", "/project");
    changeJob(search, "events", { workers: 3 });
    turn(Described.find(file, undefined), false);
    assert.equal(
      file.text(),
      "config:\n  stackyard:teraslice:\n    image: a\n    enabled: false\n  stackyard:terasliceClusters:\n    search:\n" +
        '      image: b\n      jobs:\n        events:\n          file: "jobs/events.json"\n          state: "registered"\n          workers: 3\n',
    );
    assert.throws(() => Described.find(file, "lake"), /has no Teraslice cluster lake; it has default, search/);
    assert.throws(() => changeJob(Described.find(file, "default"), "events", {}), /has no job events/);
    assert.throws(() => Described.find(StackFile.of("config: {}\n"), undefined), /describe a master there first/);
  });

  it("renders its jobs with its own settings", () => {
    const values = withMasters({ search: master({ kubernetes_namespace: "ts" }, { jobs: { events: { job: JOB } } }) });
    const found = decodeTerasliceAlone(values, FILES, ["terasliceClusters", "search"]);
    assert.equal(found?.teraslice.name, "search");
    assert.equal(found.jobs[0]?.source, "stackyard:terasliceClusters.search.jobs.events.job");
    assert.equal(decodeTerasliceAlone(values, FILES, ["terasliceClusters", "lake"]), undefined);
  });
});
