import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, mkdir, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { gzipSync } from "node:zlib";
import { readPlatforms } from "../../../cli/fleet/platforms";
import { consistsOf } from "../../../engine/runtime/contents";
import { repairFolder } from "../../../engine/pulumi/state/damage";
import { parseCheckpoint, SECRET } from "../../../engine/pulumi/state/checkpoint";
import { FileStore } from "../../../engine/pulumi/state/fileStore";
import { folderOfUrl } from "../../../engine/backend/fileUrl";
import { PostgresStore } from "../../../engine/pulumi/state/postgresStore";

const STACK = { urn: "urn:pulumi:acme::p::pulumi:pulumi:Stack::p-acme", type: "pulumi:pulumi:Stack" };

function checkpoint(outputs: object, time?: string): string {
  const latest = { manifest: { time }, resources: [{ ...STACK, outputs }] };
  return JSON.stringify({ version: 3, checkpoint: { stack: "organization/p/acme", latest } });
}

describe("state of a stack", () => {
  it("has its outputs with masked secrets, and the time of its last update", () => {
    const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:x" };
    const state = parseCheckpoint(
      "acme",
      checkpoint({ host: "http://a", key: secret, deep: [{ secret }] }, "2026-01-02T03:04:05Z"),
    );
    assert.deepEqual(state.outputs, { host: "http://a", key: SECRET, deep: [{ secret: SECRET }] });
    assert.deepEqual(state.updated, new Date("2026-01-02T03:04:05Z"));
  });

  it("is empty for a stack that was only created", () => {
    const state = parseCheckpoint("acme", JSON.stringify({ version: 3, checkpoint: { stack: "organization/p/acme" } }));
    assert.deepEqual(state, {
      name: "acme",
      updated: undefined,
      outputs: {},
      resources: [],
      secrets: undefined,
      pending: 0,
    });
  });

  it("is rejected with the name of the stack if it cannot be read", () => {
    assert.throws(() => parseCheckpoint("acme", "{"), /stack acme is not JSON/);
    assert.throws(() => parseCheckpoint("acme", "{}"), /stack acme has no "checkpoint"/);
  });

  it("is read only in the known versions", () => {
    for (const version of [3, 4]) parseCheckpoint("acme", JSON.stringify({ version, checkpoint: {} }));
    for (const version of [2, 5, "3", undefined]) {
      assert.throws(
        () => parseCheckpoint("acme", JSON.stringify({ version, checkpoint: {} })),
        new RegExp(`state of stack acme has version ${JSON.stringify(version)}; expected 3 or 4`),
      );
    }
  });
});

describe("the store of states in a folder", () => {
  let folder: string;
  let stacks: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "stackyard-test-"));
    stacks = path.join(folder, ".pulumi", "stacks", "p");
    await mkdir(stacks, { recursive: true });
  });
  afterEach(() => rm(folder, { recursive: true }));
  const open = () => FileStore.open(`file://${folder}`, "/");

  it("lists stacks by name, compressed or not, but no backups", async () => {
    await writeFile(path.join(stacks, "b.json"), checkpoint({ host: "b" }));
    await writeFile(path.join(stacks, "a.json.gz"), gzipSync(checkpoint({ host: "a" })));
    await writeFile(path.join(stacks, "a.json.bak"), "no");
    await writeFile(path.join(stacks, "b.json.attrs"), "{}");
    const found = await open().list("p");
    assert.deepEqual(
      found.map(({ name, outputs }) => [name, outputs.host]),
      [
        ["a", "a"],
        ["b", "b"],
      ],
    );
  });

  it("does not treat a missing folder as empty", async () => {
    const missing = FileStore.open(`file://${folder}/not`, "/");
    await assert.rejects(missing.list("p"), { name: "Failure", message: /no folder .*\/not; .*PULUMI_BACKEND_URL/ });
  });

  it("returns nothing for an unknown project or stack", async () => {
    assert.deepEqual(await open().list("other"), []);
    assert.equal(await open().find("p", "x"), undefined);
    assert.equal(await open().exists("p", "x"), false);
  });

  it("creates an empty stack once, and never overwrites an existing one", async () => {
    await writeFile(path.join(folder, ".pulumi", "meta.yaml"), "version: 1\n");
    assert.equal(await open().create("p", "acme"), true);
    const file = path.join(stacks, "acme.json");
    const made = { version: 3, checkpoint: { stack: "organization/p/acme" } };
    assert.deepEqual(JSON.parse(await readFile(file, "utf8")), made);
    await writeFile(file, checkpoint({ host: "precious" }));
    assert.equal(await open().create("p", "acme"), true);
    assert.equal((await open().find("p", "acme"))?.outputs.host, "precious");
  });

  it("leaves the creation of a stack to the engine if the layout is unknown", async () => {
    assert.equal(await open().create("p", "acme"), false);
    await writeFile(path.join(folder, ".pulumi", "meta.yaml"), "version: 2\n");
    assert.equal(await open().create("p", "acme"), false);
    assert.equal(await open().exists("p", "acme"), false);
  });

  it("repairs the damage of a killed process, and reports the repair", async () => {
    const reported: string[] = [];
    const store = FileStore.open(`file://${folder}`, "/", (text) => reported.push(text));
    const file = path.join(stacks, "acme.json");
    await writeFile(file, checkpoint({ host: "whole" }));
    await writeFile(`${file}.attrs`, "");
    assert.equal((await store.find("p", "acme"))?.outputs.host, "whole");
    assert.match(reported.join("\n"), /^repaired the state: removed \S+acme\.json\.attrs, /);
    assert.deepEqual(await readdir(stacks), ["acme.json"]);

    for (const damaged of ["", checkpoint({ host: "new" }).slice(0, 40), "{}"]) {
      await writeFile(file, damaged);
      await writeFile(`${file}.bak`, checkpoint({ host: "before" }));
      assert.equal((await store.find("p", "acme"))?.outputs.host, "before");
      assert.match(reported.at(-1) ?? "", /stack p\/acme: \S+ was empty or truncated and is restored from \S+\.bak, /);
      const aside = (await readdir(stacks)).filter((name) => name.includes(".damaged-"));
      assert.equal(aside.length, 1);
      assert.equal(await readFile(path.join(stacks, aside[0] ?? ""), "utf8"), damaged);
      await rm(path.join(stacks, aside[0] ?? ""));
      assert.deepEqual(await store.list("p").then((all) => all.map(({ name }) => name)), ["acme"]);
    }
  });

  it("restores a damaged state from the newest intact copy, also if the .bak is older", async () => {
    const file = path.join(stacks, "acme.json");
    const copies = path.join(folder, ".pulumi", "backups", "p", "acme");
    await mkdir(copies, { recursive: true });
    const all = [
      [`${file}.bak`, "during the update", 2],
      [path.join(copies, "acme.1.json"), "before the update", 1],
      [path.join(copies, "acme.3.json"), "after the update", 3],
      [path.join(copies, "acme.4.json"), undefined, 4],
    ] as const;
    for (const [copy, host, at] of all) {
      await writeFile(copy, host === undefined ? "{" : checkpoint({ host }));
      await utimes(copy, at, at);
    }
    for (const expected of ["after the update", "during the update", "before the update"]) {
      await writeFile(file, "");
      assert.equal((await open().find("p", "acme"))?.outputs.host, expected);
      await rm(all.find(([, host]) => host === expected)?.[0] ?? "");
    }
    await writeFile(file, "");
    await assert.rejects(open().find("p", "acme"), /is damaged/);
  });

  it("repairs an empty description of the layout, unless the folder has no states", async () => {
    const file = path.join(folder, ".pulumi", "meta.yaml");
    await writeFile(file, "");
    const { repaired } = await repairFolder(path.join(folder, ".pulumi"));
    assert.match(repaired.join(), /repaired the state: \S+meta\.yaml, which was empty/);
    assert.equal(await readFile(file, "utf8"), "version: 1\n");
    await writeFile(file, "");
    await rm(path.join(folder, ".pulumi", "stacks"), { recursive: true });
    assert.deepEqual((await repairFolder(path.join(folder, ".pulumi"))).repaired, []);
  });

  it("does not repair a state that another version of Pulumi wrote", async () => {
    const file = path.join(stacks, "acme.json");
    const newer = checkpoint({ host: "new" }).replace('"version":3', '"version":5');
    await writeFile(file, newer);
    await writeFile(`${file}.bak`, checkpoint({ host: "before" }));
    await assert.rejects(open().find("p", "acme"), /state of stack acme has version 5; expected 3 or 4/);
    assert.deepEqual(await repairFolder(path.join(folder, ".pulumi")), { repaired: [], beyond: [] });
    assert.equal(await readFile(file, "utf8"), newer);
  });

  it("keeps a damaged state without a valid backup, and reports where a backup may be", async () => {
    const file = path.join(stacks, "acme.json");
    await writeFile(file, "{");
    const wrong =
      /state of stack p\/acme is damaged: \S+acme\.json is empty or cut off, .*\.pulumi\/backups\/p\/acme has an intact older one/;
    await assert.rejects(open().find("p", "acme"), wrong);
    await writeFile(`${file}.bak`, "");
    await writeFile(path.join(stacks, "b.json"), checkpoint({}));
    const { repaired, beyond } = await repairFolder(path.join(folder, ".pulumi"));
    assert.deepEqual([repaired, beyond.length], [[], 1]);
    assert.match(beyond[0] ?? "", wrong);
    const reported: string[] = [];
    const all = await FileStore.open(`file://${folder}`, "/", (text) => reported.push(text)).list("p");
    assert.deepEqual(
      all.map(({ name }) => name),
      ["b"],
    );
    assert.match(reported.join(), wrong);
    assert.equal(await readFile(file, "utf8"), "{");
  });

  it("removes the empty file of a stack without resources, and creates that stack again", async () => {
    await writeFile(path.join(folder, ".pulumi", "meta.yaml"), "version: 1\n");
    const file = path.join(stacks, "acme.json");
    await writeFile(file, "");
    const reported: string[] = [];
    const store = FileStore.open(`file://${folder}`, "/", (text) => reported.push(text));
    assert.equal(await store.find("p", "acme"), undefined);
    assert.match(reported.join(), /removed \S+acme\.json, which was empty; stack p\/acme had no resources yet/);
    assert.equal(await store.create("p", "acme"), true);
    assert.deepEqual((await store.find("p", "acme"))?.resources, []);
    assert.deepEqual(await readdir(stacks), ["acme.json"]);
    for (const trace of ["history", "backups"]) {
      await writeFile(file, "");
      await mkdir(path.join(folder, ".pulumi", trace, "p", "acme"), { recursive: true });
      await assert.rejects(open().find("p", "acme"), /is damaged/);
      await rm(path.join(folder, ".pulumi", trace), { recursive: true });
    }
  });

  it("removes only locks that are empty or truncated", async () => {
    const locks = path.join(folder, ".pulumi", "locks", "organization", "p", "acme");
    await mkdir(locks, { recursive: true });
    await writeFile(path.join(stacks, "acme.json"), checkpoint({}));
    for (const [name, text] of [
      ["1.json.17.tmp", ""],
      ["2.json", '{"pid": 1'],
      ["3.json", '{"pid": 1}'],
    ] as const) {
      await writeFile(path.join(locks, name), text);
    }
    const damaged = await open().damaged("p");
    assert.deepEqual(
      damaged.map(({ stack, text }) => [stack, /lock \S+\/(\d)\.json/.exec(text)?.[1]]),
      [
        ["acme", "1"],
        ["acme", "2"],
      ],
    );
    const { repaired } = await repairFolder(path.join(folder, ".pulumi"));
    assert.equal(repaired.length, 2);
    assert.match(repaired[0] ?? "", /removed the lock \S+1\.json\.17\.tmp, which was empty or truncated/);
    assert.deepEqual(await readdir(locks), ["3.json"]);
    assert.deepEqual(await open().damaged("p"), []);
  });

  it("reports every state that no backup restores", async () => {
    await writeFile(path.join(stacks, "a.json"), checkpoint({}));
    await writeFile(path.join(stacks, "b.json"), "{");
    const [first, ...others] = await open().damaged("p");
    assert.deepEqual([first?.stack, others], ["b", []]);
    assert.match(first?.text ?? "", /b\.json is empty or cut off.*Restore a backup/);
    assert.deepEqual(await open().damaged("other"), []);
  });

  it("has the other platforms of a list of runtimes when one is beyond repair", async () => {
    await writeFile(path.join(stacks, "dev.json"), checkpoint({ provisionerRevisions: { one: "a" } }));
    await writeFile(path.join(stacks, "torn.json"), '{"version":3,');
    const [store, both] = [open(), ["organization/p/torn", "organization/p/dev"]];
    await assert.rejects(readPlatforms(store, both), /the state of stack p\/torn is damaged/);
    const faults: string[] = [];
    const found = await readPlatforms(store, both, (fault) => faults.push(fault));
    assert.deepEqual([...found], [["organization/p/dev", { provisionerRevisions: { one: "a" } }]]);
    assert.match(
      faults.join(),
      /^the state of platform organization\/p\/torn can't be read: .*torn\.json.*Restore a backup/,
    );
  });

  it("leaves no partial file on a full disk, reports the disk, and continues once there is space", async function () {
    const disk = path.join(folder, "disk");
    await mkdir(disk);
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], { stdio: "ignore" });
    } catch {
      this.skip(); // Only root may mount.
    }
    try {
      const full = path.join(disk, ".pulumi", "stacks", "p");
      await mkdir(full, { recursive: true });
      await writeFile(path.join(disk, ".pulumi", "meta.yaml"), "version: 1\n");
      const file = path.join(full, "acme.json");
      await writeFile(`${file}.bak`, checkpoint({ host: "x".repeat(8000) }));
      await writeFile(file, "{");
      const filler = path.join(disk, "filler");
      await writeFile(filler, Buffer.alloc(1 << 20)).catch(() => undefined);
      const store = FileStore.open(`file://${disk}`, "/", () => undefined);
      await assert.rejects(
        store.find("p", "acme"),
        /acme is damaged and can't be restored from \S+\.bak; \S+acme\.json: no space left on device\. Make space/,
      );
      await assert.rejects(store.create("p", "new"), /\/new\.json: no space left on device\. Make space on that disk/);
      assert.deepEqual((await readdir(full)).sort(), ["acme.json", "acme.json.bak"]);
      assert.deepEqual(await store.list("p"), []);
      assert.equal((await store.damaged("p")).length, 1);
      await rm(filler);
      assert.equal(String((await store.find("p", "acme"))?.outputs.host).length, 8000);
      assert.equal(await store.create("p", "new"), true);
    } finally {
      execFileSync("umount", [disk]);
    }
  });

  it("repairs all stacks of a folder, and changes nothing the second time", async () => {
    await writeFile(path.join(folder, ".pulumi", "meta.yaml"), "version: 1\n");
    await writeFile(path.join(folder, ".pulumi", "meta.yaml.attrs"), '{"user.cache');
    await writeFile(path.join(stacks, "a.json"), "");
    await writeFile(path.join(stacks, "a.json.bak"), checkpoint({}));
    await writeFile(path.join(stacks, "a.json.bak.attrs"), "");
    await writeFile(path.join(stacks, "a.json.18f2.tmp"), "half");
    await writeFile(path.join(stacks, "b.json.gz"), gzipSync(checkpoint({})).subarray(0, 20));
    await writeFile(path.join(stacks, "b.json.gz.bak"), gzipSync(checkpoint({ host: "b" })));
    assert.equal((await repairFolder(path.join(folder, ".pulumi"))).repaired.length, 4);
    assert.deepEqual(await repairFolder(path.join(folder, ".pulumi")), { repaired: [], beyond: [] });
    assert.equal((await open().find("p", "b"))?.outputs.host, "b");
    assert.deepEqual(await repairFolder(path.join(folder, "nothing")), { repaired: [], beyond: [] });
  });

  it("accepts the same relative URLs as the engine", () => {
    assert.equal(folderOfUrl("file:///var/state?no_tmp_dir=true", "/base"), "/var/state");
    assert.equal(folderOfUrl("file://./state", "/base"), "/base/state");
    assert.equal(folderOfUrl("file://~", "/base", "/home/ann"), "/home/ann");
    assert.equal(folderOfUrl("file://~/x", "/base", "/home/ann"), "/home/ann/x");
  });
});

describe("the store of states in PostgreSQL", () => {
  it("reports an unreachable database and the reason in one line, without the password", async () => {
    const url = "postgres://ann:hunter2@127.0.0.1:1/states?sslmode=disable";
    await assert.rejects(PostgresStore.open(url), (error: Error) => {
      assert.equal(error.name, "Failure");
      assert.match(
        error.message,
        /^the state database 127\.0\.0\.1:1\/states cannot be reached: .*ECONNREFUSED.*; start/,
      );
      assert.ok(!error.message.includes("hunter2"));
      return true;
    });
    await assert.rejects(PostgresStore.open("postgres://a b:c"), { name: "Failure", message: /PULUMI_BACKEND_URL/ });
  });
});

describe("the contents of a runtime", () => {
  it("are its slots, or its objects in a cluster", () => {
    const slots = {
      urn: "u",
      type: "stackyard:index:SlotAllocation",
      inputs: { slots: 2, pool: "dev/a" },
      outputs: { host: "http://h" },
    };
    const set = {
      urn: "u",
      type: "stackyard:index:ManifestSet",
      outputs: { inventory: ["v1/Service/ns/a", "apps/v1/StatefulSet/ns/a"] },
    };
    assert.deepEqual(consistsOf([STACK, slots]), ["2 slots of pool dev/a on http://h"]);
    assert.deepEqual(consistsOf([set]), ["v1/Service/ns/a", "apps/v1/StatefulSet/ns/a"]);
    assert.deepEqual(consistsOf([{ urn: "u", type: set.type }]), []);
  });
});
