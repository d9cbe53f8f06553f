import assert from "node:assert/strict";
import { join } from "node:path";
import { inspect } from "../../../../cli/bundle/inspect";
import type { InspectOptions } from "../../../../cli/bundle/options";
import type { Context } from "../../../../cli/context";
import { Failure } from "../../../../foundation/errors";
import { projectRoot } from "../../../../toolchain/root";
import { temporaryFolder, write } from "../samples";
import { modes, operator } from "./operators";

describe("stackyard bundle inspect", () => {
  const folder = temporaryFolder();
  const cacheHome = process.env["XDG_CACHE_HOME"];
  before(() => (process.env["XDG_CACHE_HOME"] = join(folder(), "cache")));
  after(() => {
    if (cacheHome === undefined) delete process.env["XDG_CACHE_HOME"];
    else process.env["XDG_CACHE_HOME"] = cacheHome;
  });
  const seen = async (source: string, options: InspectOptions = {}): Promise<string> => {
    const lines: string[] = [];
    await inspect({ print: (text: string) => lines.push(text) } as unknown as Context, [source], options);
    return lines.join("\n");
  };

  it("recognizes an operator bundle, and shows its properties, objects and permissions", async () => {
    const example = join(projectRoot(), "docs", "examples", "memcached-operator");
    const text = await seen(example, { namespace: "caches" });
    assert.match(text, /^bundle {2}registry\+v1 sha256:\w{64}$/m);
    const about = [
      "package: memcached-operator",
      "version: 1.0.0",
      "install modes: AllNamespaces, OwnNamespace, SingleNamespace",
      "suggested namespace: memcached-operator-system",
      "least Kubernetes: 1.24.0",
    ];
    assert.ok(text.includes(about.map((line) => `        ${line}\n`).join("")), text);
    assert.match(
      text,
      /Deployment +- +memcached-operator +manifests\/memcached-operator\.clusterserviceversion\.yaml:1/,
    );
    assert.match(
      text,
      /ServiceAccount caches\/memcached-operator, in the whole cluster:\n {4}get, list, watch namespaces\n/,
    );
    const json = JSON.parse(await seen(example, { json: true })) as { about: Record<string, string> };
    assert.equal(json.about["package"], "memcached-operator");
  });

  it("prints only what a bundle requests", async () => {
    const example = join(projectRoot(), "docs", "examples", "memcached-operator");
    const text = await seen(example, { namespace: "caches", effects: true });
    assert.match(text, /^Permissions that it grants:\n/);
    assert.doesNotMatch(text, /sha256|clusterserviceversion\.yaml/);
    const quiet = await write(join(folder(), "quiet"), {
      "manifests/a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n",
    });
    assert.equal(await seen(quiet, { effects: true }), "It requests nothing.");
  });

  it("reports a faulty operator bundle, and a value that must be chosen", async () => {
    const single = operator(({ csv }) => (csv.spec.installModes = modes("SingleNamespace")));
    const source = await write(join(folder(), "single"), single);
    const needsChoice = (error: unknown): boolean =>
      error instanceof Failure && /watchNamespaces: found nothing; expected .*SingleNamespace/.test(error.message);
    await assert.rejects(seen(source), needsChoice);
    await write(folder(), { "values.yaml": "watchNamespaces: [other]\n" });
    const chosen = await seen(source, { values: [join(folder(), "values.yaml")] });
    assert.match(chosen, /RoleBinding +other/);
    const wrong = await write(
      join(folder(), "wrong"),
      operator(({ annotations }) => Object.keys(annotations).forEach((key) => delete annotations[key])),
    );
    await assert.rejects(
      seen(wrong),
      /this is no registry\+v1 bundle:\n.*mediatype\.v1"\]: found nothing; expected registry\+v1/,
    );
  });
});
