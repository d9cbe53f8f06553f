import assert from "node:assert/strict";
import { utf8Text } from "../../../foundation/schema/files";
import { misspelt } from "../../../components/namespaces/config/namespaces";

describe("keys of a stack in other namespaces", () => {
  it("are rejected if the namespace is misspelled, with the intended key", () => {
    assert.deepEqual(misspelt(["stackyard:ray", "stackyrad:ray", "Stackyard:slot"], "stackyard"), [
      { path: ["ray"], message: 'found it in the namespace "stackyrad"; expected stackyard; write stackyard:ray' },
      { path: ["slot"], message: 'found it in the namespace "Stackyard"; expected stackyard; write stackyard:slot' },
    ]);
  });

  it("are accepted if they belong to a provider or another project", () => {
    assert.deepEqual(misspelt(["aws:region", "kubernetes:context", "stackyard-runtime:platform"], "stackyard"), []);
    assert.deepEqual(misspelt(["stackyard:ledger", "stackyard-runtime:move"], "stackyard-runtime"), []);
  });
});

describe("the text of a file", () => {
  it("is undefined if the file is binary", () => {
    assert.equal(utf8Text(Buffer.from("kind: Pod\n")), "kind: Pod\n");
    assert.equal(utf8Text(Buffer.from("a\0b")), undefined);
    assert.equal(utf8Text(Buffer.from([0xff, 0xfe, 0x41])), undefined);
  });
});
