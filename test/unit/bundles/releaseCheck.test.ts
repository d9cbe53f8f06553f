import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { checkRelease } from "../../../provider/resources/bundleRelease/check";
import { diffRelease } from "../../../provider/resources/bundleRelease/diff";
import type { ReleaseInputs, ReleaseState } from "../../../provider/resources/bundleRelease/inputs";
import { sourcesOf } from "../../../provider/resources/bundleRelease/wanted/sources";
import { UNKNOWN } from "../../../foundation/pulumi/resource";
import type { Properties } from "../../../foundation/pulumi/resource";
import { tgzOf } from "./archives";
import { configMap } from "./samples";
import { serve } from "./server";

const caller = { signal: new AbortController().signal, log: assert.fail };

describe("the check of a release's inputs", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-release-"));
  const cache = process.env["XDG_CACHE_HOME"];
  before(() => {
    process.env["XDG_CACHE_HOME"] = path.join(folder, "cache");
    mkdirSync(path.join(folder, "manifests"));
  });
  after(() => {
    if (cache === undefined) delete process.env["XDG_CACHE_HOME"];
    else process.env["XDG_CACHE_HOME"] = cache;
    rmSync(folder, { recursive: true });
  });
  const write = (value: string): void =>
    writeFileSync(
      path.join(folder, "manifests", "a.yaml"),
      `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { a: ${value} }\n`,
    );
  const given = (more: Properties = {}): Properties => ({
    cluster: "https://test",
    name: "shop",
    namespace: "shop",
    sources: [{ type: "local", path: folder }],
    ...more,
  });
  const checked = async (more: Properties = {}): Promise<ReleaseInputs> => {
    const { inputs, failures } = await checkRelease(given(more), caller);
    assert.deepEqual(failures, []);
    return inputs as unknown as ReleaseInputs;
  };

  /** Between two updates; `state`: what is otherwise than it was asked for. */
  const changes = (first: ReleaseInputs, next: ReleaseInputs, state: Partial<ReleaseState> = {}) =>
    diffRelease({ inputs: first, state: { ...first, inventory: [], fingerprints: [], ...state } }, next).changes;

  it("sets the digest of the sources, so that new content changes the digest", async () => {
    write("one");
    const first = await checked();
    assert.match(first.digest, /^sha256:[0-9a-f]{64}$/);
    assert.deepEqual(first.sourceDigests, [first.digest]);
    assert.deepEqual(changes(first, await checked()), {});
    write("two");
    assert.deepEqual(changes(first, await checked()), { digest: "update" });
  });

  it("finds a change if the last update was rolled back or is incomplete", async () => {
    write("one");
    const first = await checked();
    write("two");
    const second = await checked();
    assert.deepEqual(changes(second, second, { digest: first.digest }), { digest: "update" });
    assert.deepEqual(changes(second, second, { incomplete: {} }), { incomplete: "delete" });
  });

  it("replaces a release on a new name or namespace, and deletes it first if it is in the way", async () => {
    write("one");
    const first = await checked();
    const inTheWay = (key: string, next: Partial<ReleaseInputs>, verdict?: "other") => {
      const state = { ...first, inventory: [key], fingerprints: [""] };
      return diffRelease({ inputs: first, state }, { ...first, ...next }, verdict).deleteBeforeReplace;
    };
    const inside = `v1/ConfigMap/${first.namespace}/a`;
    assert.equal(inTheWay(inside, { name: "other" }), true);
    assert.equal(inTheWay(inside, { namespace: "other" }), false);
    assert.equal(inTheWay("v1/ConfigMap/elsewhere/a", { namespace: "other" }), true);
    assert.equal(inTheWay("rbac.authorization.k8s.io/v1/ClusterRole/a", { namespace: "other" }), true);
    assert.equal(inTheWay("rbac.authorization.k8s.io/v1/ClusterRole/a", { name: "other" }, "other"), false);
  });

  it("keeps a given digest, and does not read the sources", async () => {
    const digest = `sha256:${"0".repeat(64)}`;
    const { inputs, failures } = await checkRelease(
      given({ digest, sources: [{ type: "local", path: "/nowhere" }] }),
      caller,
    );
    assert.deepEqual(failures, []);
    assert.equal(inputs["digest"], digest);
  });

  it("leaves the digest unknown while a source is unknown", async () => {
    const { inputs } = await checkRelease(given({ sources: [{ type: "http", url: UNKNOWN }] }), caller);
    assert.equal(inputs["digest"], UNKNOWN);
  });

  it("finds no change if only the location or credentials of the same content differ", async () => {
    const archive = tgzOf([{ path: "manifests/a.yaml", content: configMap("a") }]);
    const site = await serve({ "/a.tgz": archive, "/b.tgz": archive });
    const from = (file: string, token: string, more: Properties = {}): Promise<ReleaseInputs> =>
      checked({ sources: [{ type: "http", url: site.url + file }], credentials: [{ auth: { token } }], ...more });
    try {
      const first = await from("/a.tgz", "old");
      const next = await from("/b.tgz", "new", { timeoutSeconds: 5 });
      assert.deepEqual(changes(first, next), {});
      assert.deepEqual(Object.keys(changes(first, { ...next, force: true })), ["force", "sources[0].url"]);
      assert.equal(changes(first, { ...next, namespace: "other" })["namespace"], "update-replace");
    } finally {
      site.close();
    }
  });

  it("reports all faults at once, without secrets", async () => {
    const { failures } = await checkRelease(
      {
        name: "Shop",
        namespace: "shop",
        cluster: "https://test",
        sources: [{ type: "http" }, { type: "ftp" }, "x", { type: "git", repository: "x", ref: {}, dirctory: "y" }],
        credentials: ["hunter2"],
        adopt: ["ConfigMap a"],
        replace: ["batch/v1/Job", "Job"],
        allowDeletion: ["Secret"],
        digest: "sha256:1",
        format: "zip",
        drift: [],
      },
      caller,
    );
    assert.deepEqual(failures.map(({ property }) => property).sort(), [
      "adopt[0]",
      "allowDeletion[0]",
      "credentials",
      "digest",
      "drift",
      "format",
      "name",
      "replace[1]",
      "sources[0]",
      "sources[1]",
      "sources[2]",
      "sources[3]",
    ]);
    assert.ok(!JSON.stringify(failures).includes("hunter2"));
    const said = failures.map(({ reason }) => reason).join("\n");
    assert.match(said, /url: found nothing; a source of type http needs it/);
    assert.match(said, /dirctory: found an unknown field; did you mean directory\?/);
  });

  it("reports which source is unavailable, and why", async () => {
    const { failures } = await checkRelease(given({ sources: [{ type: "local", path: "/nowhere" }] }), caller);
    assert.deepEqual(failures, [{ property: "sources", reason: "/nowhere can't be read: ENOENT" }]);
  });

  it("looks for pull secrets in the release's own cluster by default", () => {
    const image = { type: "image", ref: "a.b/c", pullSecret: { namespace: "ns", name: "pull" } };
    const own = { kubeconfig: "ours", context: "one", as: "somebody" };
    const [first, second] = sourcesOf([image, image], [{}, { pullSecret: { kubeconfig: "theirs" } }], own);
    assert.deepEqual(first, { ...image, pullSecret: { ...image.pullSecret, ...own } });
    assert.deepEqual(second, { ...image, pullSecret: { ...image.pullSecret, kubeconfig: "theirs" } });
  });

  it("joins a source with its secrets", () => {
    const source = { type: "http", url: "https://example.com", auth: { username: "reader" } };
    const [joined] = sourcesOf([source, { type: "local", path: "." }], [{ auth: { password: "p" } }]);
    assert.deepEqual(joined, { ...source, auth: { username: "reader", password: "p" } });
    const [maps] = sourcesOf([{ type: "configMaps", namespace: "shop" }], [], { kubeconfig: "theirs" });
    assert.equal((maps as { kubeconfig?: string }).kubeconfig, "theirs");
  });
});
