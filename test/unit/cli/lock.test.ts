import assert from "node:assert/strict";
import { allHoldersEnded, describeLock, lockedMessage, parseLocks, type Lock } from "../../../engine/pulumi/engineLock";

const COMPLAINT = `error: the stack is currently locked by 2 lock(s). Either wait for the other process(es) to end or delete the lock file with \`pulumi cancel\`.
  file:///state/.pulumi/locks/organization/stackyard-runtime/a/127e4cc7.json?no_tmp_dir=true: created by root@vm (pid 21279) at 2026-11-20T23:00:31Z
  file:///state/.pulumi/locks/organization/stackyard-runtime/a/99.json: created by ann@laptop.example (pid 7) at 2026-11-20T23:00:32Z
`;

describe("lock of a stack", () => {
  it("is parsed from the engine's error message", () => {
    assert.deepEqual(parseLocks(COMPLAINT), [
      { user: "root", host: "vm", pid: 21279, since: "2026-11-20T23:00:31Z", file: "127e4cc7.json" },
      { user: "ann", host: "laptop.example", pid: 7, since: "2026-11-20T23:00:32Z", file: "99.json" },
    ]);
  });

  it("is parsed again from the reported message", () => {
    const locks = parseLocks(COMPLAINT) ?? [];
    assert.deepEqual(parseLocks(lockedMessage(locks)), locks);
  });

  it("is not found in any other error message", () => {
    assert.equal(parseLocks("error: no stack named 'x' found"), undefined);
    assert.equal(parseLocks(""), undefined);
  });

  it("is left behind only if all its holders have ended", () => {
    const [ours, other] = parseLocks(COMPLAINT) ?? [];
    assert.ok(ours && other);
    const gone = ({ host, pid, since }: Lock) => ({ host, pid, at: Date.parse(since) });
    assert.equal(allHoldersEnded([ours]), false);
    assert.equal(allHoldersEnded([ours], [gone(ours)]), true);
    assert.equal(allHoldersEnded([ours, other], [gone(ours)]), false);
    assert.equal(allHoldersEnded([ours, other], [gone(ours), gone(other)]), true);
    assert.equal(allHoldersEnded([]), false);
  });

  it("has a readable description", () => {
    assert.equal(
      describeLock({ user: "ann", host: "laptop", pid: 7, since: "2026-01-01T00:00:00Z", file: "a.json" }),
      "pid 7 of ann on laptop, since 2026-01-01T00:00:00Z",
    );
  });
});
