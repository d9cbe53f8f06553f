import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readPlain } from "../../../bundles/format/plain";
import { fetchSource, openBundle, resolveSource } from "../../../bundles/bundle";
import { Refused, Unavailable } from "../../../bundles/errors";
import type { ConfigMapsSource } from "../../../bundles/sources/configMaps";
import type { Client } from "../../../kubernetes/client/client";
import { connect } from "../../../kubernetes/connect/connect";
import { cacheIn, configMap } from "../../unit/bundles/samples";
import { testKubeconfig } from "../manifests/yard";

describe("a bundle in ConfigMaps", () => {
  const namespace = `bundles-${randomBytes(3).toString("hex")}`;
  const folder = mkdtempSync(join(tmpdir(), "stackyard-maps-"));
  let kubeconfig: string;
  let client: Client;
  const access = () => ({ base: "/", keep: ["manifests"], cache: cacheIn(folder) });
  const at = (more: Partial<ConfigMapsSource>): ConfigMapsSource => ({
    type: "configMaps",
    namespace,
    kubeconfig,
    ...more,
  });
  const put = (name: string, labels: Record<string, string>, content: object): Promise<unknown> =>
    client.apply({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace, labels }, ...content });

  before(async () => {
    kubeconfig = await testKubeconfig();
    client = connect(kubeconfig, undefined, {});
    await client.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        put(`shop-${index}`, { bundle: "shop" }, { data: { [`${index}.yaml`]: configMap(`a-${index}`) } }),
      ),
    );
  });
  after(async () => {
    await client.remove({ apiVersion: "v1", kind: "Namespace", name: namespace });
    rmSync(folder, { recursive: true, force: true });
  });

  it("combines all ConfigMaps with its labels", async () => {
    const bundle = await openBundle([at({ labels: { bundle: "shop" } })], access());
    assert.equal(bundle.tree.files.size, 20);
    assert.equal(readPlain(bundle.tree).length, 20);
    assert.equal(bundle.sources[0]?.title, `ConfigMaps ${namespace}/bundle=shop`);
  });

  it("reads ConfigMaps by name, with binary data, into a given folder", async () => {
    const bytes = Buffer.from(configMap("ü"));
    await put("bytes", {}, { binaryData: { "b.yaml": bytes.toString("base64") }, data: { "c.yaml": "c" } });
    const { tree } = await openBundle([at({ names: ["bytes"] })], access());
    assert.deepEqual([...tree.files.keys()], ["manifests/b.yaml", "manifests/c.yaml"]);
    assert.deepEqual(tree.files.get("manifests/b.yaml"), bytes);
    const elsewhere = await openBundle([at({ names: ["bytes"], path: "other" })], access());
    assert.deepEqual([...elsewhere.tree.files.keys(), ...elsewhere.tree.others], ["other"]);
  });

  it("gets a new digest from a change and keeps the previous content in the cache", async () => {
    await put("changing", {}, { data: { "a.yaml": "1" } });
    const source = at({ names: ["changing"] });
    const { digest } = await resolveSource(source, access());
    await put("changing", {}, { data: { "a.yaml": "2" } });
    assert.notEqual((await resolveSource(source, access())).digest, digest);
    assert.equal((await fetchSource(source, digest, access())).files.get("manifests/a.yaml")?.toString(), "1");
    const other = { ...access(), cache: cacheIn(join(folder, "empty")) };
    await assert.rejects(
      fetchSource(source, digest, other),
      (error) => error instanceof Refused && /it was changed/.test(error.message),
    );
  });

  it("fails with the reason if ConfigMaps are missing, forbidden or conflicting", async () => {
    const rejects = (
      source: ConfigMapsSource,
      kind: typeof Refused | typeof Unavailable,
      expected: RegExp,
    ): Promise<void> =>
      assert.rejects(openBundle([source], access()), (error) => {
        assert.ok(error instanceof kind, (error as Error).stack);
        assert.match(error.message, expected);
        return true;
      });
    await rejects(at({ names: ["nowhere"] }), Unavailable, new RegExp(`there is no ConfigMap ${namespace}/nowhere$`));
    await rejects(
      at({ labels: { bundle: "nowhere" } }),
      Unavailable,
      /there is no ConfigMap with the labels bundle=nowhere in bundles-/,
    );
    await put("twice", { bundle: "twice" }, { data: { "a.yaml": "1" } });
    await put("twice-too", { bundle: "twice" }, { binaryData: { "a.yaml": "Mg==" } });
    await rejects(
      at({ labels: { bundle: "twice" } }),
      Refused,
      /manifests\/a\.yaml is in the ConfigMaps twice and twice-too; expected it in one only/,
    );
    await rejects(at({ labels: {} }), Refused, /found an empty list/);
    await rejects(at({ labels: { a: "b,c=d" } }), Refused, /found the label "a=b,c=d"/);
    await rejects(at({ names: ["../secrets/x"] }), Refused, /found the name "\.\.\/secrets\/x"/);
    await rejects(at({ names: ["a"], namespace: "a/b" }), Refused, /found the namespace "a\/b"/);
    await rejects(at({}), Refused, /expected either labels or names/);
    await rejects(at({ names: ["twice"], context: "nowhere" }), Refused, /nowhere/);
    await rejects(at({ names: ["twice"], kubeconfig: "a: [" }), Refused, /kubeconfig/);
  });
});
