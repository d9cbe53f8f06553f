import assert from "node:assert/strict";
import { projectRoot } from "../../../toolchain/root";
import { languageHosts } from "../../tools/pulumiLanguages";
import { pythonEnvironment } from "../../../toolchain/python/environment";
import type { Place } from "../runtime/world";
import { testYard } from "../runtime/yard";
import type { Example } from "./example";
import { goExample, pythonExample, withTools } from "./languages";

/** Up, change and destroy; each but the last is followed by a preview without changes. */
async function walk(example: Example): Promise<void> {
  await example.up();
  const outputs = JSON.parse(await example.outputs()) as Record<string, unknown>;
  assert.equal(outputs["host"], "https://shop-runtime.shop.example.com");
  assert.equal(outputs["cpu"], 2);
  assert.match(String(outputs["address"]), /^ray:\/\/main-ray-head-svc\.team-ray/);
  assert.match(String(outputs["digest"]), /^sha256:/);
  await example.set("version", "1.1.0");
  await example.set("workers", "2");
  const said = await example.up();
  assert.match(said, /ManifestSet shop-runtime-runtime-objects updated/);
  assert.match(said, /ManifestSet main-ray-main-objects updated/);
  await example.destroy();
}

describe("a program with components", function () {
  this.timeout(900_000); // The first time the hosts are built.
  let place: Place;
  let example: Example | undefined;
  before(async () => {
    place = await withTools(await testYard(), languageHosts);
  });
  afterEach(async () => {
    await example?.remove();
    example = undefined;
  });

  it("in Python has a runtime, a Ray cluster and a bundle", async function () {
    const environment = await pythonEnvironment("pulumi", projectRoot());
    if ("missing" in environment) {
      console.log(`      skipped: ${environment.missing}`);
      return this.skip();
    }
    example = await pythonExample(place, "python", environment.python);
    await walk(example);
  });

  it("in Go has a runtime, a Ray cluster and a bundle", async () => {
    example = await goExample(place, "go");
    await walk(example);
  });
});
