import assert from "node:assert/strict";
import { releaseNotes } from "../../../toolchain/release/notes";

const CHANGELOG = `# Changelog

## [Unreleased]

## [0.2.0] - 2026-12-01

### Added

- Something.

## [0.1.0] - 2026-11-01

- First.
`;

describe("the notes of a release", () => {
  it("are the section of the changelog for its version", () => {
    assert.equal(releaseNotes("v0.2.0", "0.2.0", CHANGELOG), "### Added\n\n- Something.");
    assert.equal(releaseNotes("v0.1.0", "0.1.0", CHANGELOG), "- First.");
  });

  it("are rejected for a tag that is not the version of the package", () => {
    assert.throws(() => releaseNotes("latest", "0.2.0", CHANGELOG), /found "latest"; expected vX\.Y\.Z/);
    assert.throws(
      () => releaseNotes("v0.3.0", "0.2.0", CHANGELOG),
      /package\.json has version 0\.2\.0; expected 0\.3\.0/,
    );
  });

  it("are rejected if the changelog has no text for the version", () => {
    assert.throws(() => releaseNotes("v0.3.0", "0.3.0", CHANGELOG), /has no part "## \[0\.3\.0\]"/);
    assert.throws(
      () => releaseNotes("v0.2.0", "0.2.0", CHANGELOG.replace(" - 2026-12-01", "")),
      /expected "## \[0\.2\.0\] - YYYY/,
    );
    assert.throws(
      () => releaseNotes("v1.0.0", "1.0.0", "## [1.0.0] - 2026-12-01\n\n## [0.1.0]"),
      /says nothing of 1\.0\.0/,
    );
  });
});
