/* eslint-disable @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-return --
   planned objects are of any shape */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { load } from "js-yaml";
import { jobPodOverride, WRITE_CONFIG } from "../../../components/teraslice/podConfig/secretConfig";
import { objectsOf, only, SECRETIVE, settingsOf, type Planned } from "./samples";

const textOf = (name: string): string =>
  only(objectsOf({}, {}, SECRETIVE), "ConfigMap", name).data["teraslice.yaml"] as string;

describe("secrets of connectors", () => {
  it("are references in the master's init container, and in no ConfigMap", () => {
    const objects = objectsOf({}, {}, SECRETIVE);
    const { initContainers, volumes } = only(objects, "Deployment").spec.template.spec;
    const references = initContainers[0].env
      .slice(1)
      .map(({ name, valueFrom }: Planned) => [name, valueFrom.secretKeyRef]);
    assert.deepEqual(references, [
      ["CONNECTOR_SECRET_0", { name: "search", key: "password" }],
      ["CONNECTOR_SECRET_1", { name: "kafka", key: "key-password" }],
      ["CONNECTOR_SECRET_2", { name: "lake", key: "id" }],
      ["CONNECTOR_SECRET_3", { name: "lake", key: "secret" }],
    ]);
    assert.deepEqual(volumes[0], { name: "config", emptyDir: { medium: "Memory" } });
    const { connectors } = (load(textOf("teracluster-worker")) as Planned).terafoundation;
    assert.equal(connectors["elasticsearch-next"].default.password, "__CONNECTOR_SECRET_0__");
  });

  it("are written to the file with any characters", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "stackyard-teraslice-"));
    try {
      const values = ['a"b: {c}\n# d\\', "$& __CONNECTOR_SECRET_0__", "", "- e"];
      const env = Object.fromEntries(values.map((value, index) => [`CONNECTOR_SECRET_${index}`, value]));
      const target = path.join(folder, "teraslice.yaml");
      const config = textOf("teracluster-master");
      execFileSync(process.execPath, ["-e", WRITE_CONFIG, target], { env: { ...env, CONFIG: config } });
      const { teraslice, terafoundation } = load(readFileSync(target, "utf8")) as Planned;
      const { connectors } = terafoundation;
      assert.equal(connectors["elasticsearch-next"].default.password, values[0]);
      assert.equal(connectors.kafka.events.ssl_key_password, values[1]);
      assert.equal(connectors.s3.lake.accessKeyId, values[2]);
      assert.equal(connectors.s3.lake.secretAccessKey, values[3]);
      assert.deepEqual(teraslice, (load(config) as Planned).teraslice);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("reach the pods of jobs through an override that replaces the ConfigMap", () => {
    const override = jobPodOverride(settingsOf({ image: "example/teraslice:1" }, {}, SECRETIVE)) as Planned;
    assert.deepEqual(override.volumes, [{ configMap: null, emptyDir: { medium: "Memory" } }]);
    const [writer] = override.initContainers;
    assert.equal(writer.image, "example/teraslice:1");
    assert.deepEqual(writer.env[0].valueFrom.configMapKeyRef, { name: "teracluster-worker", key: "teraslice.yaml" });
    assert.deepEqual(writer.volumeMounts, [{ name: "config", mountPath: "/app/config" }]);
    assert.ok(settingsOf({}, {}, SECRETIVE).teraslice.kubernetes_overrides_enabled);
  });

  it("need no override if there are none, unlike several pull secrets", () => {
    assert.equal(jobPodOverride(settingsOf()), undefined);
    assert.equal(only(objectsOf(), "Deployment").spec.template.spec.initContainers, undefined);
    assert.deepEqual(jobPodOverride(settingsOf({ imagePullSecrets: ["one", "two"] })), {
      imagePullSecrets: [{ name: "one" }, { name: "two" }],
    });
  });
});
