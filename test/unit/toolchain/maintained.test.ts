import assert from "node:assert/strict";
import { dependencies } from "../../../package.json";
import { unmaintained } from "../../../toolchain/upgrade/maintained";
import reasons from "../../../toolchain/upgrade/reasons.json";
import { directRequirements, newestRelease } from "../../../toolchain/upgrade/registries";

/** As `npm view pg time --json` prints it, shortened. */
const TIMES = JSON.stringify({
  created: "2010-12-19T16:22:08.000Z",
  modified: "2026-11-20T08:00:00.000Z",
  "8.16.2": "2025-06-29T22:36:44.000Z",
  "8.16.3": "2025-07-02T12:21:11.000Z",
  "9.0.0-beta.1": "2026-11-20T08:00:00.000Z",
});

/** As `go mod edit -json` prints it, shortened. */
const GO_MOD = JSON.stringify({
  Module: { Path: "stackyard/toolchain/pulumi" },
  Require: [
    { Path: "github.com/pulumi/pulumi/pkg/v3", Version: "v3.274.1" },
    { Path: "cloud.google.com/go", Version: "v0.123.0", Indirect: true },
  ],
});

const NOW = new Date("2026-11-27T00:00:00Z");
const recent = new Date("2026-03-01T00:00:00Z");

describe("dependencies of a release", () => {
  it("are released when their newest version was that is no prerelease", () => {
    assert.equal(newestRelease(TIMES)?.toISOString(), "2025-07-02T12:21:11.000Z");
    assert.equal(
      newestRelease('{"created":"2010-12-19T16:22:08.000Z","1.0.0-rc.1":"2026-01-01T00:00:00Z"}'),
      undefined,
    );
    assert.deepEqual(directRequirements(GO_MOD), [{ name: "github.com/pulumi/pulumi/pkg/v3", version: "3.274.1" }]);
  });

  it("that are a prerelease, or without a release for a year, need a reason", () => {
    const all = [
      { name: "a", version: "1.0.0", released: recent },
      { name: "b", version: "2.0.0-beta.17", released: recent },
      { name: "c", version: "1.0.16", released: newestRelease(TIMES) },
      { name: "d", version: "4.0.0-20260115033456-f47bc2d6f199", released: recent },
      { name: "e", version: "1.0.0", released: undefined },
    ];
    assert.deepEqual(unmaintained(all, {}, NOW), [
      "b 2.0.0-beta.17 is a prerelease",
      "c 1.0.16: the last release was on 2025-07-02",
      "d 4.0.0-20260115033456-f47bc2d6f199 is a prerelease",
      "e 1.0.0: the registry has no date of a release",
    ]);
    const why = { b: "Only in tests.", c: "Finished.", d: "The only tag.", e: "Ours.", f: "Gone." };
    assert.deepEqual(unmaintained(all, why, NOW), ["reasons.json: f is no dependency; remove it"]);
  });

  it("are no prerelease in package.json without a reason", () => {
    const all = Object.entries(dependencies).map(([name, version]) => ({ name, version, released: NOW }));
    assert.deepEqual(unmaintained(all, reasons, NOW), []);
  });
});
