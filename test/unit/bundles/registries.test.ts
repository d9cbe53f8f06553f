import assert from "node:assert/strict";
import { FORMAT } from "../../../cli/bundle/options";
import { FORMATS as READ } from "../../../bundles/format/formats";
import { FORMAT_NAMES } from "../../../foundation/bundleFormats";

describe("the stack config of bundles", () => {
  it("has the formats that the library reads", () => {
    for (const [name, format] of READ) assert.equal(format.name, name);
    for (const name of FORMAT_NAMES) assert.ok(FORMAT.includes(name), `the help of commands lacks ${name}`);
  });
});
