import assert from "node:assert/strict";
import { assetFor, machineOf, whyNoAsset, type Asset } from "../../../provider/resources/terasliceJob/master/assets";
import { readBundle } from "../../../provider/resources/terasliceJob/master/bundle";
import { assetZip } from "../../doubles/teraslice/zip";

const MACHINE = machineOf({ node_version: "v24.1.0", platform: "linux", arch: "x64" });
const asset = (version: string, more: Partial<Asset> = {}): Asset => ({
  id: version,
  name: "standard",
  version,
  ...more,
});
const taken = (reference: string, ...assets: Asset[]) => assetFor(reference, assets, MACHINE)?.version;

describe("an asset that a job references", () => {
  it("is the newest version of its name or range", () => {
    const all = [asset("1.0.0"), asset("1.10.0"), asset("1.9.0"), asset("2.0.0-rc.1")];
    assert.equal(taken("standard", ...all), "2.0.0-rc.1");
    assert.equal(taken("standard:latest", ...all), "2.0.0-rc.1");
    assert.equal(taken("standard:^1.0.0", ...all), "1.10.0");
    assert.equal(taken("standard:1.9.0", ...all), "1.9.0");
    assert.equal(taken("standard:3", ...all), undefined);
    assert.equal(taken("other", ...all), undefined);
  });

  it("fits the platform of the master, unless it is referenced by id", () => {
    assert.equal(taken("standard", asset("1.0.0", { nodeVersion: 22 }), asset("2.0.0", { nodeVersion: 26 })), "1.0.0");
    assert.equal(taken("standard", asset("1.0.0"), asset("2.0.0", { arch: "arm64" })), "1.0.0");
    assert.equal(taken("2.0.0", asset("1.0.0"), asset("2.0.0", { arch: "arm64" })), "2.0.0");
  });

  it("is reported with the available assets if it is missing", () => {
    assert.match(whyNoAsset("standard:3", [asset("1.0.0"), asset("2.0.0")]), /it has 1\.0\.0, 2\.0\.0 of standard/);
    assert.match(whyNoAsset("other", [asset("1.0.0")]), /it has standard/);
    assert.match(whyNoAsset("other", []), /no asset at all/);
    assert.match(whyNoAsset("standard:x.y.z!", [asset("1.0.0")]), /is no range of versions/);
    assert.match(whyNoAsset("standard", [asset("1.0.0", { arch: "arm64" })]), /made for another version of Node/);
  });

  it("is read from its zip file", async () => {
    const read = await readBundle(
      await assetZip("standard", "v1.2.3", "", { node_version: 22, platform: "", arch: "x64" }),
    );
    assert.deepEqual(
      [read.name, read.version, read.nodeVersion, read.platform, read.arch],
      ["standard", "1.2.3", 22, undefined, "x64"],
    );
    await assert.rejects(assetZip("", "1.0.0").then(readBundle), /asset\.json has no name/);
    await assert.rejects(assetZip("a", "one").then(readBundle), /no version such as 1\.0\.0/);
  });
});
