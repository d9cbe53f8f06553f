import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { connect } from "../../../kubernetes/connect/connect";
import type { Client } from "../../../kubernetes/client/client";
import { tgzOf } from "../../unit/bundles/archives";
import { Repository } from "../../unit/bundles/repository";
import { configMap } from "../../unit/bundles/samples";
import { serve, type Pages, type Site } from "../../unit/bundles/server";
import { Project } from "../cli/project";
import { testYard } from "../runtime/yard";
import { layerOf, TestRegistry } from "./registry";

/** What a tag, a branch and a URL stand for may become something else any day. Engine, provider and sources are real. */
describe("bundles whose sources changed", function () {
  this.timeout(120_000);
  const namespace = `moved-${randomBytes(3).toString("hex")}`;
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-moved-"));
  const pages: Pages = {};
  let project: Project;
  let client: Client;
  let registry: TestRegistry;
  let repository: Repository;
  let site: Site & { close(): void };

  const text = (name: string, value: string): string => configMap(name, `data:\n  value: "${value}"\n`);
  /** Moves all three to content with this value. */
  const move = async (value: string): Promise<void> => {
    await registry.image("shop", "stable", [layerOf([{ path: "manifests/a.yaml", content: text("image", value) }])]);
    await repository.commit({ "manifests/a.yaml": text("git", value) });
    pages["/shop.tgz"] = tgzOf([{ path: "manifests/a.yaml", content: text("http", value) }]);
  };
  const pulumi = (...args: string[]) => project.must("pulumi", ...args, "-s", "here", "--non-interactive");
  const values = (): Promise<unknown[]> =>
    Promise.all(
      ["image", "git", "http"].map(async (name) => {
        const found = await client.get({ apiVersion: "v1", kind: "ConfigMap", name, namespace });
        return (found?.["data"] as { value?: string } | undefined)?.value;
      }),
    );
  const digests = async (): Promise<string[]> => {
    const outputs = JSON.parse(await pulumi("stack", "output", "--json")) as {
      bundles: Record<string, { digest: string }>;
    };
    return ["image", "git", "http"].map((name) => outputs.bundles[name]?.digest ?? "");
  };

  before(async () => {
    const place = await testYard();
    client = connect(readFileSync(place.kubeconfig, "utf8"), undefined, {});
    registry = await TestRegistry.start();
    site = await serve(pages);
    repository = await Repository.make(path.join(folder, "repository"), {});
    await move("one");
    project = new Project(place);
    const spec = { namespace: "runtimes", host: "http://*.runtimes.localhost", image: "example/runtime" };
    const source = {
      image: { type: "image", ref: `${registry.host}/shop:stable` },
      git: { type: "git", repository: `file://${repository.folder}`, ref: { branch: "main" } },
      http: { type: "http", url: `${site.url}/shop.tgz` },
    };
    const bundles = Object.entries(source).map(([name, one]) => [name, { versions: { "1.0.0": { sources: [one] } } }]);
    const instances = Object.keys(source).map((name) => [name, { bundle: name, namespace, createNamespace: true }]);
    await project.platform({
      cluster: { type: "existing", kubeconfig: { path: place.kubeconfig } },
      provisioners: { only: { type: "kubernetes", spec } },
      defaultProvisioner: "only",
      bundles: Object.fromEntries(bundles) as object,
      instances: Object.fromEntries(instances) as object,
    });
  });
  after(async () => {
    await project.remove();
    registry.stop();
    site.close();
    await client.remove({ apiVersion: "v1", kind: "Namespace", name: namespace });
    rmSync(folder, { recursive: true, force: true });
  });

  it("show the old and the new digest in the preview and change only on an update", async () => {
    await pulumi("up", "--yes", "--skip-preview");
    assert.deepEqual(await values(), ["one", "one", "one"]);
    const before = await digests();
    await pulumi("preview", "--expect-no-changes", "--diff");
    await move("two");
    const preview = await pulumi("preview", "--diff");
    const reported = [...preview.matchAll(/digest *: "(sha256:[0-9a-f]{64})" => "(sha256:[0-9a-f]{64})"/g)];
    // Each is reported twice: of the release, and of the component around it.
    const unique = (all: (string | undefined)[]): (string | undefined)[] => [...new Set(all)].sort();
    assert.deepEqual(unique(reported.map(([, old]) => old)), unique(before));
    assert.deepEqual(await values(), ["one", "one", "one"]);
    assert.deepEqual(await digests(), before);
    await pulumi("up", "--yes", "--skip-preview");
    assert.deepEqual(await values(), ["two", "two", "two"]);
    assert.deepEqual(unique(await digests()), unique(reported.map(([, , next]) => next)));
  });
});
