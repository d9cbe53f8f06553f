import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { dump } from "js-yaml";
import { startYard, type Yard } from "../../../toolchain/yard/yard";
import { configMap } from "../manifests/world";
import { newProject } from "../library/newProject";
import { pulumiIn } from "./stack";
import { messageOf, World } from "./world";

describe("a program with a bundle", () => {
  let yard: Yard;
  let world: World;
  before(async () => (yard = await startYard({ directory: process.env["STACKYARD_TEST_YARD"], progress: false })));
  beforeEach(async () => {
    world = new World(readFileSync(yard.kubeconfig, "utf8"));
    // Before the world has a cache of its own, because the package is built with tools of the user's.
    await newProject(world.folder, "bundles");
    await world.open();
  });
  afterEach(() => world.close());

  const pulumi = (...args: string[]): Promise<string> => pulumiIn(yard, world, args);

  const write = (color: string, ...names: string[]): string =>
    world.bundle("shop", { "a.yaml": names.map((name) => configMap(name, { color })) });

  it("previews a new digest and its changes, fixes drift, hides secrets, and leaves nothing on destroy", async () => {
    writeFileSync(
      path.join(world.folder, "index.js"),
      `const { BundleRelease } = require("stackyard");
       const { digest, sourceDigests, inventory } = new BundleRelease("shop", {
         kubeconfig: require("node:fs").readFileSync(process.env.KUBECONFIG_FILE, "utf8"),
         cluster: "https://test", name: "shop", namespace: ${JSON.stringify(world.namespace)},
         sources: [
           { type: "local", path: "shop" },
           { type: "configMaps", namespace: ${JSON.stringify(world.namespace)}, names: ["content"] },
         ],
         credentials: [{}, { kubeconfig: require("node:fs").readFileSync(process.env.KUBECONFIG_FILE, "utf8") }],
       });
       Object.assign(exports, { digest, sourceDigests, inventory });`,
    );
    const more = dump(configMap("more"));
    await world.client.apply({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "content", namespace: world.namespace },
      data: { "more.yaml": more },
    });
    write("red", "a", "b");
    await pulumi("stack", "init");
    try {
      await pulumi("up", "--yes");
      const first = JSON.parse(await pulumi("stack", "output", "--json")) as { digest: string; inventory: string[] };
      assert.equal(first.inventory.length, 3);
      const state = await pulumi("stack", "export");
      assert.ok(
        !state.includes("client-key-data") && !state.includes("certificate-authority"),
        "a secret is in the state",
      );
      assert.ok(!state.includes("color"), "the manifests are in the state");
      const { deployment } = JSON.parse(state) as { deployment: { resources: { outputs?: Record<string, object> }[] } };
      const [fingerprints] = deployment.resources.flatMap(({ outputs }) => outputs?.["fingerprints"] ?? []);
      assert.ok(
        fingerprints && "ciphertext" in fingerprints,
        "what Secrets hold could be guessed from hashes in the state",
      );
      assert.match(await pulumi("up", "--yes", "--skip-preview"), /2 unchanged/);

      write("blue", "a");
      const preview = await pulumi("preview", "--diff");
      assert.ok(preview.includes(`digest: "${first.digest}" => "sha256:`), preview);
      const reported = await pulumi("preview");
      assert.ok(!reported.includes("Undefined value"), reported);
      assert.match(reported, /~ ConfigMap \S+\/a .*\n\s+data\.color: "red" → "blue"/);
      assert.match(reported, /- ConfigMap \S+\/b/);
      await pulumi("up", "--yes", "--skip-preview");
      assert.deepEqual(await world.configMaps(), ["a", "bundle-shop", "content", "more"]);

      await world.client.remove(world.ref("v1", "ConfigMap", "a"));
      write("blue", "a", "c");
      await pulumi("up", "--yes", "--skip-preview");
      await world.client.remove(world.ref("v1", "ConfigMap", "a"));
      await pulumi("refresh", "--yes");
      assert.match(await pulumi("stack", "export"), /"fingerprints": \{\s*"[0-9a-f]+": "[0-9a-f]+",\s*"ciphertext"/);
      assert.match(await pulumi("preview", "--diff"), /- drift: \[\s*- +\[0\]: "ConfigMap \S+\/a is missing"/);
      await pulumi("up", "--yes", "--skip-preview");
      assert.deepEqual(await world.configMaps(), ["a", "bundle-shop", "c", "content", "more"]);

      world.bundle("shop", { "a.yaml": "kind: Nothing\n" });
      assert.match(await messageOf(pulumi("preview")), /manifests\/a\.yaml:1 .*expected apiVersion/);
    } finally {
      await pulumi("destroy", "--yes");
      await pulumi("stack", "rm", "--yes");
    }
    assert.deepEqual(await world.configMaps(), ["content"]);
  });
});
