import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, readFile, utimes } from "node:fs/promises";
import { join } from "node:path";
import { buildBundle } from "../../../cli/bundle/build";
import { inspect } from "../../../cli/bundle/inspect";
import { render } from "../../../cli/bundle/render";
import { push } from "../../../cli/bundle/push";
import { verify } from "../../../cli/bundle/verify";
import type { Context } from "../../../cli/context";
import { Failure, UsageError } from "../../../foundation/errors";
import { kubeVersion } from "../../../cli/options/parse";
import { NEWEST_KUBERNETES } from "../../../bundles/format/newest";
import { TOOLS } from "../../../toolchain/tools/table";
import { operator as operatorFiles } from "./registry/operators";
import { configMap, temporaryFolder, write } from "./samples";

/** A context that keeps what is printed. */
function listening(): { context: Context; printed: () => string } {
  const lines: string[] = [];
  return {
    context: { print: (text: string) => lines.push(text) } as unknown as Context,
    printed: () => lines.join("\n"),
  };
}

describe("stackyard bundle", () => {
  const folder = temporaryFolder();
  const good = (): string => join(folder(), "good");
  let digest = "";
  const cacheHome = process.env["XDG_CACHE_HOME"];
  before(async () => {
    process.env["XDG_CACHE_HOME"] = join(folder(), "cache");
    await write(good(), {
      "manifests/02_b.yaml": configMap("b", "  namespace: ns\n"),
      "manifests/01_a.yaml": `---\n${configMap("a")}`,
    });
  });

  after(() => {
    if (cacheHome === undefined) delete process.env["XDG_CACHE_HOME"];
    else process.env["XDG_CACHE_HOME"] = cacheHome;
  });

  it("inspect shows the origin and order of all objects", async () => {
    const { context, printed } = listening();
    await inspect(context, [good()], {});
    assert.match(
      printed(),
      /^source {2}.*good at sha256:\w{64}\nbundle {2}plain\+v0 sha256:\w{64}\n {8}2 objects in 2 files, 122 B\n/,
    );
    assert.match(
      printed(),
      / 1 {2}ConfigMap {2}- +a +manifests\/01_a\.yaml:2\n +2 {2}ConfigMap {2}ns +b +manifests\/02_b\.yaml:1\n\nGives access to objects of other owners, or to the whole cluster:\n {2}ConfigMap ns\/b \(content \w{12}\): is in a namespace of others$/,
    );
  });

  it("checks an operator's minimum Kubernetes version against the given version", async () => {
    const operator = await write(
      join(folder(), "operator"),
      operatorFiles(({ csv }) => (csv.spec["minKubeVersion"] = "1.31.0")),
    );
    for (const run of [verify, inspect]) {
      await run(listening().context, [operator], {});
      await run(listening().context, [operator], { kubeVersion: "v1.31.0" });
      await assert.rejects(
        run(listening().context, [operator], { kubeVersion: "v1.30.0" }),
        /the operator needs Kubernetes 1\.31\.0 or newer; the cluster has v1\.30\.0/,
      );
    }
  });

  it("takes the tested Kubernetes version as the newest, and rejects invalid versions", () => {
    const tested = TOOLS.find(({ programs }) => programs.includes("kube-apiserver"))?.version ?? "";
    assert.equal(NEWEST_KUBERNETES, `v${tested.replace(/\d+$/, "0")}`);
    assert.equal(kubeVersion("1.34"), "v1.34.0");
    assert.equal(kubeVersion("v1.34.2-eks-1234"), "v1.34.2");
    for (const wrong of ["34", "1", "2.0", "x"]) assert.throws(() => kubeVersion(wrong), /Expected a version/);
  });

  it("render prints the objects in their order, readable as a bundle again", async () => {
    const { context, printed } = listening();
    await render(context, [good()], {});
    assert.match(
      printed(),
      /^# manifests\/01_a\.yaml:2, wave 1\napiVersion: v1\nkind: ConfigMap\nmetadata:\n {2}name: a\n---\n# manifests\/02_b\.yaml:1, wave 2\n/,
    );
    const again = await write(join(folder(), "again"), { "manifests/all.yaml": printed() });
    const other = listening();
    await render(other.context, [again], { json: true });
    const list = JSON.parse(other.printed()) as { kind: string; items: { metadata: { name: string } }[] };
    assert.deepEqual([list.kind, list.items.map(({ metadata }) => metadata.name)], ["List", ["a", "b"]]);
    const operator = listening();
    await render(operator.context, ["docs/examples/memcached-operator"], { namespace: "caches" });
    assert.match(operator.printed(), /\nkind: Deployment\n[^]*olm\.operatorNamespace: caches\n/);
  });

  it("inspect prints JSON on request", async () => {
    const { context, printed } = listening();
    await inspect(context, [good()], { json: true });
    const result = JSON.parse(printed()) as { digest: string; sources: unknown[]; objects: unknown[] };
    digest = result.digest;
    assert.deepEqual(result.sources, [{ type: "local", source: good(), digest }]);
    assert.deepEqual(result.objects[1], {
      wave: 2,
      apiVersion: "v1",
      kind: "ConfigMap",
      namespace: "ns",
      name: "b",
      file: "manifests/02_b.yaml",
      document: 1,
      line: 1,
    });
  });

  it("verify accepts only the expected digest", async () => {
    const { context, printed } = listening();
    await verify(context, [good()], { digest });
    assert.equal(printed(), `${digest} is a plain+v0 bundle with 2 objects`);
    const other = `sha256:${"0".repeat(64)}`;
    await assert.rejects(verify(context, [good()], { digest: other }), (error) => {
      assert.ok(error instanceof Failure);
      return error.message.endsWith(`the content has the digest ${digest}; expected ${other}`);
    });
    await assert.rejects(verify(context, [good()], { digest: "sha256:1" }), UsageError);
  });

  it("combines sources from arguments and a file, and requires at least one", async () => {
    await write(folder(), {
      "more/manifests/c.yaml": configMap("c"),
      "sources.yaml": "sources: [{ type: local, path: more }]",
    });
    const { context, printed } = listening();
    await verify(context, [good()], { file: join(folder(), "sources.yaml") });
    assert.match(printed(), /with 3 objects$/);
    await assert.rejects(verify(context, [], {}), UsageError);
    await assert.rejects(verify(context, ["https://me:secret@example.com/x.tgz"], {}), (error) => {
      assert.ok(error instanceof Failure);
      return /found a user or a password in the URL/.test(error.message) && !error.message.includes("secret");
    });
  });

  it("build writes the same bytes each time, and keeps the digest of the bundle", async () => {
    const { context, printed } = listening();
    const [first, second] = [join(folder(), "first.tar.gz"), join(folder(), "second.tar.gz")];
    await buildBundle(context, [good()], { output: first });
    await utimes(join(good(), "manifests/01_a.yaml"), 1, 1);
    await chmod(join(good(), "manifests/01_a.yaml"), 0o600);
    await buildBundle(context, [first], { output: second });
    const bytes = await readFile(first);
    assert.ok(bytes.equals(await readFile(second)));
    const archive = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
    const bundle = `bundle  plain+v0 ${digest}`;
    assert.equal(printed(), [`archive ${first} ${archive}`, bundle, `archive ${second} ${archive}`, bundle].join("\n"));
    await verify(listening().context, [first], { digest });
  });

  it("build names the archive after the folder, and requires --output without a single folder", async () => {
    const before = process.cwd();
    process.chdir(folder());
    try {
      await buildBundle(listening().context, ["good"], {});
      await verify(listening().context, ["good.tar.gz"], { digest });
      for (const words of [["good.tar.gz"], ["good", "more"], ["https://example.com/good"], []]) {
        await assert.rejects(buildBundle(listening().context, words, {}), UsageError);
      }
      const nowhere = buildBundle(listening().context, ["good"], { output: "nowhere/x.tar.gz" });
      await assert.rejects(nowhere, (error) => error instanceof Failure && /x\.tar\.gz can't be/.test(error.message));
    } finally {
      process.chdir(before);
    }
  });

  it("build and push reject a faulty bundle, and leave no archive", async () => {
    const bad = await write(join(folder(), "faulty"), { "manifests/a.yaml": "- 1\n" });
    const output = join(folder(), "faulty.tar.gz");
    await assert.rejects(buildBundle(listening().context, [bad], { output }), /this is no plain\+v0 bundle/);
    assert.ok(!existsSync(output));
    await assert.rejects(push(listening().context, bad, "127.0.0.1:9/x", {}), /this is no plain\+v0 bundle/);
  });

  it("push rejects an invalid image name", async () => {
    for (const [image, expected] of [
      ["Upper/case", /^image: found "Upper\/case"; expected \[registry\/\]path/],
      ["a/b@sha256:0", /^image: found "a\/b@sha256:0"; expected \[registry\/\]path/],
    ] as const) {
      await assert.rejects(push(listening().context, good(), image, {}), (error) => {
        assert.ok(error instanceof UsageError);
        assert.match(error.message, expected);
        return true;
      });
    }
  });

  it("verify reports every fault", async () => {
    const bad = await write(join(folder(), "bad"), { "manifests/a.yaml": "- 1\n", "manifests/b.yaml": "x: [" });
    await assert.rejects(verify(listening().context, [bad], {}), (error) => {
      assert.ok(error instanceof Failure);
      assert.match(
        error.message,
        /bad: this is no plain\+v0 bundle:\n {2}- manifests\/a\.yaml:1 .*\n {2}- manifests\/b\.yaml:1 /,
      );
      return true;
    });
    await assert.rejects(verify(listening().context, [join(folder(), "nowhere")], {}), Failure);
  });
});
