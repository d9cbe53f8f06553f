import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as path from "node:path";
import { projectRoot } from "../../../toolchain/root";
import { TOOLS } from "../../../toolchain/tools/table";
import { baseImages, withDigests } from "../../../toolchain/upgrade/baseImages";
import { compatible, filesOf, newer, newest, withVersion } from "../../../toolchain/upgrade/versions";

describe("make upgrade", () => {
  it("finds the newest release up to a given version", () => {
    const versions = ["3.9.0", "3.10.0", "4.0.0-alpha.1", "3.10.1-beta", "nothing"];
    assert.equal(newest(versions), "3.10.0");
    assert.equal(newest(versions, "3.9.5"), "3.9.0");
    assert.equal(newest(versions, "3.1.0"), undefined);
  });

  it("lists the newer versions that every module has, newest first", () => {
    const first = ["1.0.0", "1.2.0", "1.10.0", "2.0.0-rc.1"];
    assert.deepEqual(newer("1.1.0", first, ["1.10.0", "1.2.0", "2.0.0-rc.1", "3.0.0"]), ["1.10.0", "1.2.0"]);
    assert.deepEqual(newer("1.2.0", first, first), ["1.10.0"]);
    assert.deepEqual(newer("1.0.0", first, []), []);
  });

  it("keeps a package if only an incompatible version is newer", () => {
    assert.equal(compatible("1.2.0", ["1.1.0", "1.2.0", "1.9.0", "2.0.0"]), "1.9.0");
    assert.equal(compatible("1.2.0", ["1.2.0", "1.3.0-beta.1", "2.0.0"]), undefined);
    assert.equal(compatible("0.2.0", ["0.2.0", "0.3.0"]), undefined);
    assert.equal(compatible("0.2.0", ["0.2.0", "0.2.1"]), "0.2.1");
  });

  for (const [part, tool] of [
    ["engine", "pulumi"],
    ["kubernetes", "pulumi-resource-kubernetes"],
  ] as const) {
    it(`finds the version of ${tool} everywhere it is named`, () => {
      const from = TOOLS.find(({ name }) => name === tool)?.version ?? "";
      for (const file of filesOf(part)) {
        const text = readFileSync(path.join(projectRoot(), file), "utf8");
        assert.doesNotMatch(
          withVersion(part, file, text, { from, to: "9.9.9" }),
          new RegExp(from.replaceAll(".", "\\.")),
        );
        assert.throws(() => withVersion(part, file, text, { from: "0.0.1", to: "9.9.9" }), /found no .*0\.0\.1/);
      }
    });
  }

  it("pins each base image of the service by its digest, and takes back one that is not known any more", () => {
    const text = readFileSync(path.join(projectRoot(), "service", "Containerfile"), "utf8");
    const images = baseImages(text);
    assert.deepEqual(
      images.map((image) => /^docker\.io\/[a-z/-]+:[\w.-]+$/.test(image)),
      [true, true, true],
    );
    const [digest, other] = ["a", "b"].map((digit) => `sha256:${digit.repeat(64)}`);
    const of = (known: string | undefined) =>
      withDigests(
        text,
        images.map((image) => ({ image, ...(known && { digest: known }) })),
      );
    assert.equal(of(digest).split(`@${digest}`).length, 4);
    assert.deepEqual(baseImages(of(digest)), images);
    const again = withDigests(of(digest), [{ image: images[0] ?? "", digest: other }]);
    assert.deepEqual([again.split(`@${digest}`).length, again.split(`@${other}`).length], [1, 2]);
  });
});
