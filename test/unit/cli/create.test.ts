import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { createStack, forgetIfEmpty } from "../../../engine/runtime/create";
import { FileStore } from "../../../engine/state/fileStore";

describe("a new runtime's stack for which nothing was made", () => {
  let folder: string;
  const backend = process.env.PULUMI_BACKEND_URL;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "stackyard-create-"));
    process.env.PULUMI_BACKEND_URL = `file://${folder}`;
    mkdirSync(path.join(folder, ".pulumi"));
    writeFileSync(path.join(folder, ".pulumi", "meta.yaml"), "version: 1\n");
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  after(() => {
    if (backend === undefined) delete process.env.PULUMI_BACKEND_URL;
    else process.env.PULUMI_BACKEND_URL = backend;
  });

  const state = (): string => path.join(folder, ".pulumi", "stacks", "stackyard-runtime", "acme.json");
  const locks = (): string => path.join(folder, ".pulumi", "locks", "organization", "stackyard-runtime", "acme");
  const write = (...types: string[]): void => {
    const resources = types.map((type) => ({
      urn: `urn:pulumi:acme::stackyard-runtime::${type}::x`,
      type,
      custom: true,
    }));
    writeFileSync(state(), JSON.stringify({ version: 3, checkpoint: { latest: { resources } } }));
  };

  it("is removed with its file, and leaves a backup and no lock", async () => {
    await createStack("acme", folder);
    write("pulumi:pulumi:Stack", "pulumi:providers:stackyard");
    writeFileSync(path.join(folder, "Pulumi.acme.yaml"), "config: {}\n");
    await forgetIfEmpty("acme", folder, false);
    assert.deepEqual([existsSync(state()), existsSync(`${state()}.bak`)], [false, true]);
    assert.deepEqual(readdirSync(locks()), []);
    assert.equal(existsSync(path.join(folder, "Pulumi.acme.yaml")), false);
  });

  it("is removed without a file that was there before", async () => {
    await createStack("acme", folder);
    writeFileSync(path.join(folder, "Pulumi.acme.yaml"), "config: {}\n");
    await forgetIfEmpty("acme", folder, true);
    assert.deepEqual([existsSync(state()), existsSync(path.join(folder, "Pulumi.acme.yaml"))], [false, true]);
  });

  it("stays once somebody has made something in it", async () => {
    await createStack("acme", folder);
    write("pulumi:pulumi:Stack", "stackyard:index:ManifestSet");
    await forgetIfEmpty("acme", folder, false);
    assert.ok(existsSync(state()));
  });

  for (const [what, content] of [
    ["", JSON.stringify({ pid: 1, username: "ann", hostname: "laptop", timestamp: "2026-01-01T00:00:00Z" })],
    [", also where the lock is only half written", "{"],
  ] as const) {
    it(`stays while somebody else works on it, who is about to make something${what}`, async () => {
      await createStack("acme", folder);
      mkdirSync(locks(), { recursive: true });
      writeFileSync(path.join(locks(), "1.json"), content);
      await forgetIfEmpty("acme", folder, false);
      assert.ok(existsSync(state()));
      assert.deepEqual(readdirSync(locks()), ["1.json"]);
    });
  }

  it("is looked at while nobody else can begin to work on it", async () => {
    await createStack("acme", folder);
    const store = FileStore.open(`file://${folder}`, folder);
    let held: string[] = [];
    assert.equal(
      await store.removeIf("stackyard-runtime", "acme", () => {
        held = readdirSync(locks());
        return false;
      }),
      false,
    );
    assert.equal(held.length, 1);
    assert.deepEqual([existsSync(state()), readdirSync(locks())], [true, []]);
  });
});
