import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { isLocked, startOf, withLock } from "../../../toolchain/bootstrap/lock";

describe("a lock", () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "stackyard-lock-"));
    file = path.join(folder, "lock");
  });
  /** What the lock file of this process has in it. */
  const heldText = async (): Promise<string> => withLock(file, () => Promise.resolve(fs.readFileSync(file, "utf8")));
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  it("lets in one task at a time, and is removed afterwards, even if the task fails", async () => {
    let inside = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setTimeout(resolve, 20));
      inside--;
    };
    await withLock(file, () => Promise.resolve(assert.equal(isLocked(file), true)));
    assert.equal(isLocked(file), false);
    await Promise.all([withLock(file, work), withLock(file, work), withLock(file, work)]);
    assert.equal(most, 1);
    await assert.rejects(
      withLock(file, () => Promise.reject(new Error("no"))),
      /no/,
    );
    assert.deepEqual(fs.readdirSync(folder), []);
  });

  it("of an ended process is ignored without a wait", async () => {
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    fs.writeFileSync(file, `${pid} 12345`);
    let waited = false;
    assert.equal(
      await withLock(
        file,
        () => Promise.resolve("done"),
        () => (waited = true),
      ),
      "done",
    );
    assert.equal(waited, false);
  });

  it("whose process id was reused is ignored", async () => {
    fs.writeFileSync(file, (await heldText()).replace(/ \d+ /, " 1 "));
    assert.equal(await withLock(file, () => Promise.resolve("done")), "done");
  });

  it("of another container is awaited, and names the file to remove if the container has ended", async function () {
    if (process.platform !== "linux") this.skip();
    fs.writeFileSync(file, (await heldText()).replace(/\[\d+\]/, "[1]"));
    assert.equal(isLocked(file), true);
    let holder = "";
    const done = withLock(
      file,
      () => Promise.resolve("done"),
      (name) => (holder = name),
    );
    await new Promise((resolve) => setTimeout(resolve, 250));
    assert.equal(holder, `${process.pid} of another container (if that has ended, remove ${file})`);
    fs.rmSync(file);
    assert.equal(await done, "done");
  });

  it("from before the machine's start is ignored", async function () {
    if (process.platform !== "linux") this.skip();
    fs.writeFileSync(file, (await heldText()).replace(/ [^ ]*\//, " b00f/"));
    assert.equal(isLocked(file), false);
  });

  it("of a living process is awaited, and names its holder", async () => {
    const other = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)"]);
    const pid = other.pid ?? 0;
    const [, , space] = (await heldText()).split(" ");
    fs.writeFileSync(file, `${pid} ${startOf(pid)} ${space}`);
    let holder: string | undefined;
    const done = withLock(
      file,
      () => Promise.resolve("done"),
      (name) => (holder = name),
    );
    await new Promise((resolve) => setTimeout(resolve, 250));
    assert.equal(holder, String(pid));
    other.kill("SIGKILL");
    assert.equal(await done, "done");
  });
});
