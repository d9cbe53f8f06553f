import assert from "node:assert/strict";
import { planClickHouse } from "../../../components/runtime/clickhouse/plan";
import { clickHouseRevisions } from "../../../components/runtime/clickhouse/revision";
import type {
  ClickHouseConfig,
  StaticClickHouse,
  TemplatedConfig,
} from "../../../components/runtime/clickhouse/settings";

const server: StaticClickHouse = {
  type: "static",
  url: "https://admin:s3cret@ch.example.com:8443",
  prefix: "rill_",
  sources: ["URL"],
  passwordVersion: 1,
  databaseWhenDeleted: "Delete",
  default: false,
};
const settings: TemplatedConfig["settings"] = {
  namespace: "clickhouse",
  image: "clickhouse/clickhouse-server",
  version: "26.8",
  timeoutSeconds: 300,
  templates: [{ key: "statefulset", file: "s.yaml", text: "kind: StatefulSet" }],
  prefix: "rill_",
  passwordVersion: 1,
  default: false,
};
const revision = (config: ClickHouseConfig): string | undefined => clickHouseRevisions({ own: config })["own"];

describe("the revision of a ClickHouse provisioner", () => {
  it("of a server changes with the settings of its databases, but not with credentials", () => {
    const before = revision(server);
    for (const more of [
      { runtimeUrl: "http://ch.internal" },
      { runtimeWriterUrl: "http://ch.internal" },
      { url: "https://admin:s3cret@ch2.example.com:8443" },
      { sources: [] },
      { passwordVersion: 2 },
      { databaseWhenDeleted: "Retain" as const },
    ]) {
      assert.notEqual(revision({ ...server, ...more }), before, JSON.stringify(more));
    }
    const same = { url: "https://root:other@ch.example.com", prefix: "new_", default: true };
    assert.equal(revision({ ...server, ...same }), before);
  });

  it("of clusters changes with templates and image, but not with settings of new clusters", () => {
    const of = (more: Partial<TemplatedConfig["settings"]> = {}) =>
      revision({ type: "kubernetes", settings: { ...settings, ...more } });
    const template = { key: "statefulset", file: "s.yaml", text: "kind: Deployment" };
    for (const more of [{ image: "other/clickhouse" }, { version: "26.9" }, { templates: [template] }]) {
      assert.notEqual(of(more), of(), JSON.stringify(more));
    }
    assert.equal(of({ namespace: "other", timeoutSeconds: 1, prefix: "new_", default: true }), of());
  });

  it("is in the plan of a requested database, but not of one that stays as it is", () => {
    const platform = {
      ...{ provisioners: {}, defaultProvisioner: "", environments: {}, slot: { cpu: 1, memoryGb: 4, diskGb: 40 } },
      ...{ clickhouse: { main: server }, clickhouseRevisions: { main: "c1" } },
    };
    const acme = {
      id: "acme",
      slots: 1,
      version: "1",
      environment: "prod",
      annotations: {},
      state: "running" as const,
    };
    const asked = { ...acme, resources: { clickhouse: {} } };
    const made = planClickHouse(platform, asked, "org/stackyard/dev");
    assert.equal(made?.revision, "c1");
    assert.ok(made?.type === "static");
    const present = { ...made.settings, type: "static" as const, isCreated: true };
    assert.equal(planClickHouse(platform, acme, "org/stackyard/dev", present)?.revision, undefined);
  });
});
