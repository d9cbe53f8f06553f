import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { GitHub } from "../../../cli/github";
import { holderOf, isStaleOnGitHub } from "../../../cli/lock/holder";
import { acquireLock, refuseLocked, releaseLock } from "../../../engine/locks/acquire";
import type { LockStore } from "../../../engine/locks/lockStore";
import { createLock, findLock, listLocks, openLocks } from "../../../engine/locks/locks";
import { renderStackLock, type LockHolder, type StackLock } from "../../../engine/locks/stackLock";
import { GitHubDouble } from "../../doubles/github";

const PROD = { project: "stackyard", stack: "prod" };
const since = "2026-01-01T00:00:00Z";
const wanted = (holder: LockHolder, more: Partial<StackLock> = {}): StackLock => ({
  ...PROD,
  ...holder,
  since,
  ...more,
});
const ada = { user: "ada@laptop" };
const seven = { user: "ada", pullRequest: 7 };
const eight = { user: "ada", pullRequest: 8 };

describe("the lock of a stack", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-locks-"));
  const kept = path.join(folder, ".pulumi", "stackyard", "locks", "stackyard");
  let store: LockStore;

  beforeEach(async () => {
    const opened = await openLocks({ folder: "/", backend: `file://${folder}` });
    assert.ok(opened);
    store = opened;
  });
  afterEach(() => rmSync(path.join(folder, ".pulumi"), { recursive: true, force: true }));
  after(() => rmSync(folder, { recursive: true }));

  it("is acquired by only one of many concurrent users", async () => {
    const people = Array.from({ length: 20 }, (_, index) => wanted({ user: `u${index}` }));
    const tried = await Promise.allSettled(people.map((one) => acquireLock(store, one)));
    const won = tried.filter((each) => each.status === "fulfilled");
    assert.equal(won.length, 1);
    assert.deepEqual(
      (await listLocks(store)).map(({ lock }) => lock.user),
      won.map(({ value }) => value.lock.user),
    );
    for (const each of tried) {
      if (each.status === "rejected") assert.match(String(each.reason), /stackyard\/prod is locked by u\d+ since/);
    }
  });

  it("is kept by its holder, who can acquire it again", async () => {
    assert.deepEqual(await acquireLock(store, wanted(seven)), { lock: wanted(seven), isOld: false });
    const again = wanted({ user: "bob", pullRequest: 7 }, { since: "2026-02-02T00:00:00Z" });
    assert.deepEqual(await acquireLock(store, again), { lock: wanted(seven), isOld: true });
    assert.deepEqual(await refuseLocked(store, PROD, seven), wanted(seven));
  });

  it("is refused to others with its holder, time and purpose, and how to release it", async () => {
    await acquireLock(store, wanted(seven, { reason: "a larger pool" }));
    for (const other of [ada, eight, { user: "ada" }]) {
      await assert.rejects(refuseLocked(store, PROD, other), {
        name: "Failure",
        message:
          `stackyard/prod is locked by pull request 7 (ada) since ${since}: a larger pool. Nothing was changed. Wait until ` +
          'that is deployed or closed, or release it with "stackyard lock release stackyard/prod --force"',
      });
      await assert.rejects(acquireLock(store, wanted(other)), /locked by pull request 7/);
      await assert.rejects(releaseLock(store, PROD, other), /locked by pull request 7/);
    }
    assert.equal(await refuseLocked(store, { ...PROD, stack: "staging" }, ada), undefined);
  });

  it("is free after its release, even if another user forces the release", async () => {
    await acquireLock(store, wanted(ada));
    assert.deepEqual(await releaseLock(store, PROD, ada), wanted(ada));
    assert.equal(await releaseLock(store, PROD, ada), undefined);
    await acquireLock(store, wanted(seven));
    await releaseLock(store, PROD, ada, { force: true });
    assert.equal((await acquireLock(store, wanted(ada))).isOld, false);
  });

  it("is not released by force if its holder changed meanwhile", async () => {
    await acquireLock(store, wanted(seven));
    const slow: LockStore = Object.assign(Object.create(store) as LockStore, {
      async removeIf(name: string, text: string): Promise<boolean> {
        await releaseLock(store, PROD, seven);
        await acquireLock(store, wanted(eight));
        return store.removeIf(name, text);
      },
    });
    await assert.rejects(releaseLock(slow, PROD, ada, { force: true }), /changed hands in the meantime/);
    assert.deepEqual((await findLock(store, "stackyard", "prod"))?.lock, wanted(eight));
  });

  it("is complete or missing after its holder is killed, and is held if it is damaged", async () => {
    mkdirSync(kept, { recursive: true });
    writeFileSync(path.join(kept, "prod.json.0b1c"), '{"user":"ad');
    assert.deepEqual(await listLocks(store), []);
    await acquireLock(store, wanted(ada));
    await releaseLock(store, PROD, ada);
    writeFileSync(path.join(kept, "prod.json"), '{"user":"ad');
    await assert.rejects(acquireLock(store, wanted(ada)), /locked by an unknown holder \(its file is damaged\)/);
    await releaseLock(store, PROD, ada, { force: true });
    await acquireLock(store, wanted(ada));
    assert.deepEqual(readdirSync(kept).sort(), ["prod.json", "prod.json.0b1c"]);
  });

  it("is not created in a missing folder", async () => {
    await assert.rejects(
      openLocks({ folder: "/", backend: `file://${folder}/nowhere` }),
      /there is no folder .*nowhere; expected the state/,
    );
  });

  it("is not supported by other backends", async () => {
    assert.equal(await openLocks({ folder: "/", backend: "azblob://states" }), undefined);
  });

  it("is in the path of an endpoint that is an IP address, as where the CLI keeps the states", async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(new URL(request.url ?? "", "http://s3").pathname);
      response.end("<ListBucketResult/>");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const before = { ...process.env };
    const endpoint = `http://127.0.0.1:${port}`;
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b", AWS_ENDPOINT_URL: endpoint });
    try {
      const s3 = await openLocks({ folder: "/", backend: "s3://states?region=eu-central-1" });
      assert.deepEqual(await listLocks(s3!), []);
      assert.deepEqual(asked, ["/states"]);
    } finally {
      process.env = before;
      server.close();
    }
  });

  describe("of a pull request", () => {
    let github: GitHubDouble;
    const env = () => ({ ...github.env, GITHUB_SHA: "head" });
    before(async () => {
      github = await new GitHubDouble().start();
      github.histories.set("head", ["merge", "head"]);
    });
    after(() => github.stop());

    const pull = (state: "open" | "closed", merged?: string) =>
      github.pulls.set(7, { state, merged: merged !== undefined, merge_commit_sha: merged ?? null });

    for (const [what, state, merged, isOver] of [
      ["closed", "closed", undefined, true],
      ["merged into what is deployed", "closed", "merge", true],
      ["merged, and not deployed yet", "closed", "later", false],
      ["open", "open", undefined, false],
    ] as const) {
      it(`${isOver ? "goes to the next" : "stays"}: ${what}`, async () => {
        pull(state, merged);
        await createLock(store, { lock: wanted(seven), text: renderStackLock(wanted(seven)) });
        const next = acquireLock(store, wanted(eight), isStaleOnGitHub(env()));
        if (isOver) assert.deepEqual((await next).lock, wanted(eight));
        else await assert.rejects(next, /locked by pull request 7/);
      });
    }

    it("is looked up only with the variables of GitHub Actions", async () => {
      await GitHub.connect(env());
      const missing = [
        { GITHUB_TOKEN: "" },
        ...["", "/repo", "owner", "owner/"].map((name) => ({ GITHUB_REPOSITORY: name })),
      ];
      for (const each of [...missing, { GITHUB_REPOSITORY: undefined }])
        await assert.rejects(GitHub.connect({ ...env(), ...each }), /without GITHUB_TOKEN and GITHUB_REPOSITORY/);
    });

    it("is never stale outside of GitHub or if a person holds it", async () => {
      pull("closed");
      assert.equal(await isStaleOnGitHub({})(wanted(seven)), false);
      assert.equal(await isStaleOnGitHub(env())(wanted(ada)), false);
    });
  });

  it("is held by the person of a job, or the user of the machine", () => {
    assert.deepEqual(holderOf({ pullRequest: 7 }, { GITHUB_ACTIONS: "true", GITHUB_ACTOR: "ada" }), seven);
    assert.match(holderOf({}, {}).user, /^[^@]+@[^@]+$/);
  });
});
