import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import * as fc from "fast-check";
import { parse } from "yaml";
import { StackFile } from "../../../engine/stack/file";

const KEY = "stackyard-runtime:deployment";

describe("stack file", () => {
  it("rejects a stack name that no file can have", async () => {
    await assert.rejects(StackFile.read("/nowhere", "dev\0"), /stack: found "dev\\u0000"; expected a name of/);
  });

  it("keeps comments, order and foreign keys when one value changes", () => {
    const file = StackFile.of(
      [
        "# who pays: team blue",
        "encryptionsalt: v1:abc",
        "config:",
        "  other:key: 7 # keep me",
        `  ${KEY}:`,
        "    slots: 2 # enough for now",
        '    version: "0.50"',
        "  aws:region: eu-central-1",
        "",
      ].join("\n"),
    );
    file.setConfig(KEY, { slots: 3, version: "0.50" });
    assert.equal(
      file.text(),
      [
        "# who pays: team blue",
        "encryptionsalt: v1:abc",
        "config:",
        "  other:key: 7 # keep me",
        `  ${KEY}:`,
        "    slots: 3 # enough for now",
        '    version: "0.50"',
        "  aws:region: eu-central-1",
        "",
      ].join("\n"),
    );
  });

  it("preserves texts that look like numbers or booleans", () => {
    for (const version of [
      "0.50",
      "1e3",
      "0x10",
      "true",
      "null",
      "1_000",
      "010",
      "~",
      "2026-01-01",
      "yes",
      "12:30:00",
    ]) {
      const file = StackFile.of("config: {}\n");
      file.setConfig(KEY, { version, [version]: 1 });
      assert.deepEqual(parse(file.text(), { version: "1.1" }).config[KEY], { version, [version]: 1 }, version);
      assert.deepEqual(parse(file.text(), { version: "1.2" }).config[KEY], { version, [version]: 1 }, version);
    }
  });

  it("starts from an empty file and from one without config", () => {
    for (const text of ["", "encryptionsalt: v1:a\n", "config:\n"]) {
      const file = StackFile.of(text);
      file.setConfig(KEY, { slots: 1 });
      assert.deepEqual(file.config(KEY), { slots: 1 });
      assert.deepEqual(parse(file.text()).config, { [KEY]: { slots: 1 } });
    }
  });

  it("is rejected with its name if it is invalid", () => {
    assert.throws(() => StackFile.of("- a\n", "Pulumi.x.yaml"), /Pulumi\.x\.yaml: .*no map/);
    assert.throws(() => StackFile.of("a: [\n", "Pulumi.x.yaml"), /Pulumi\.x\.yaml: /);
    assert.throws(() => StackFile.of("a: *b\n", "Pulumi.x.yaml"), /Pulumi\.x\.yaml: Unresolved alias .*by hand/);
  });

  it("returns any value that was set, and never changes another key", () => {
    const key = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}:[a-z][A-Za-z0-9]{0,8}$/);
    const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean());
    const map = fc.dictionary(fc.string({ minLength: 1 }), fc.oneof(leaf, fc.array(leaf)), { noNullPrototype: true });
    const value = fc.oneof(leaf, map);
    fc.assert(
      fc.property(
        fc.dictionary(key, value, { noNullPrototype: true }),
        key,
        value,
        value,
        (others, at, first, second) => {
          const file = StackFile.of("");
          for (const [other, inner] of Object.entries(others)) file.setConfig(other, inner);
          file.setConfig(at, first);
          file.setConfig(at, second);
          const read = StackFile.of(file.text());
          assert.deepEqual(read.config(at), second);
          for (const [other, inner] of Object.entries(others)) {
            if (other !== at) assert.deepEqual(read.config(other), inner);
          }
        },
      ),
    );
  });

  it("removes a key that every object inherits", () => {
    const file = StackFile.of("config:\n  a:b: {toString: x, c: 1}\n");
    file.setConfig("a:b", { c: 1 });
    assert.deepEqual(file.config("a:b"), { c: 1 });
  });

  it("resolves aliases", () => {
    const file = StackFile.of("config:\n  a:b: &one {c: [1]}\n  d:e: {f: *one}\n");
    assert.deepEqual(file.config("d:e"), { f: { c: [1] } });
  });

  it("removes a key", () => {
    const file = StackFile.of("config:\n  a:b: 1\n  c:d: 2\n");
    file.setConfig("a:b", undefined);
    assert.equal(file.text(), "config:\n  c:d: 2\n");
  });

  it("is restored as it was read, even if it did not exist, unless it was changed meanwhile", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "stackyard-file-"));
    try {
      const place = path.join(folder, "Pulumi.dev.yaml");
      const text = "config:\n  a:b:   1 # as somebody wrote it\n";
      writeFileSync(place, text);
      const change = async () => {
        const file = await StackFile.readFile(place);
        file.setConfig("c:d", 2);
        await file.write();
        return file;
      };
      assert.equal(await (await change()).restore(), true);
      assert.equal(readFileSync(place, "utf8"), text);
      const changed = await change();
      writeFileSync(place, "config: {}\n");
      assert.equal(await changed.restore(), false);
      assert.equal(readFileSync(place, "utf8"), "config: {}\n");
      rmSync(place);
      assert.equal(await (await change()).restore(), true);
      assert.equal(existsSync(place), false);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
