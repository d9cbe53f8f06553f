import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { write } from "../../unit/bundles/samples";
import { startYard, type Yard } from "../../../toolchain/yard/yard";
import { CHART, map } from "./charts";
import { newProject } from "../library/newProject";
import { pulumiIn } from "./stack";
import { messageOf, World } from "./world";

describe("a program with a Helm chart", () => {
  let yard: Yard;
  let world: World;
  before(async () => (yard = await startYard({ directory: process.env["STACKYARD_TEST_YARD"], progress: false })));
  beforeEach(async () => {
    world = new World(readFileSync(yard.kubeconfig, "utf8"));
    // Before the world has a cache of its own, because the package is built with tools of the user's.
    await newProject(world.folder, "charts");
    await world.open();
  });
  afterEach(() => world.close());

  const pulumi = (...args: string[]): Promise<string> => pulumiIn(yard, world, args);

  it("hides secret values in state, previews and errors, and removes chart defaults with null", async () => {
    writeFileSync(
      path.join(world.folder, "index.js"),
      `const { BundleRelease } = require("stackyard");
       const { Config } = require("@pulumi/pulumi");
       new BundleRelease("shop", {
         kubeconfig: require("node:fs").readFileSync(process.env.KUBECONFIG_FILE, "utf8"),
         cluster: "https://test", name: "shop", namespace: ${JSON.stringify(world.namespace)},
         sources: [{ type: "local", path: "chart" }], format: "helm",
         values: { color: new Config().get("color") ?? "red", gone: null },
         secretValues: { password: new Config().requireSecret("password") },
       });`,
    );
    const text = '{{ printf "%s %s %v" .Values.color .Values.password .Values.gone | quote }}';
    await write(path.join(world.folder, "chart"), {
      "Chart.yaml": CHART,
      "values.yaml": "gone: here\n",
      "templates/a.yaml": map("a", text),
    });
    await pulumi("stack", "init");
    try {
      await pulumi("config", "set", "--secret", "password", "s3cret-word");
      await pulumi("up", "--yes");
      const made = (await world.there("ConfigMap", "a"))?.["data"];
      assert.deepEqual(made, { text: "red s3cret-word <nil>" });
      assert.doesNotMatch(await pulumi("stack", "export"), /s3cret-word/);
      assert.match(await pulumi("up", "--yes", "--skip-preview"), /2 unchanged/);
      await pulumi("config", "set", "color", "blue");
      const said = (await pulumi("preview")) + (await pulumi("preview", "--diff"));
      assert.match(said, /data\.text: "red \[secret\] <nil>" → "blue \[secret\] <nil>"/);
      assert.match(said, /color: "red" => "blue"/);
      assert.doesNotMatch(said, /s3cret-word/);
      await write(path.join(world.folder, "chart"), { "templates/a.yaml": map("a", "{{ fail .Values.password }}") });
      const failed = await messageOf(pulumi("preview"));
      assert.match(failed, /templates\/a\.yaml:6: \[secret\]/);
      assert.doesNotMatch(failed, /s3cret-word/);
    } finally {
      await pulumi("destroy", "--yes");
      await pulumi("stack", "rm", "--yes");
    }
    // The engine kills its providers with all processes of theirs.
    const left = (): string[] =>
      readdirSync(path.join(world.folder, "tmp")).filter((name) => name.startsWith("stackyard-render-"));
    for (let tries = 0; tries < 40 && left().length > 0; tries++) await sleep(50);
    assert.deepEqual(left(), []);
  });
});
