import assert from "node:assert/strict";
import { allHoldersEnded, describeLock, parseLocks } from "../../../engine/pulumi/lock";

const COMPLAINT = `error: the stack is currently locked by 2 lock(s). Either wait for the other process(es) to end or delete the lock file with \`pulumi cancel\`.
  file:///state/.pulumi/locks/organization/stackyard-runtime/a/127e4cc7.json?no_tmp_dir=true: created by root@vm (pid 21279) at 2026-11-20T23:00:31Z
  file:///state/.pulumi/locks/organization/stackyard-runtime/a/99.json: created by ann@laptop.example (pid 7) at 2026-11-20T23:00:32Z
`;

describe("lock of a stack", () => {
  it("is read from what the engine's command line says", () => {
    assert.deepEqual(parseLocks(COMPLAINT), [
      { user: "root", host: "vm", pid: 21279, since: "2026-11-20T23:00:31Z" },
      { user: "ann", host: "laptop.example", pid: 7, since: "2026-11-20T23:00:32Z" },
    ]);
  });

  it("is not seen in any other complaint", () => {
    assert.equal(parseLocks("error: no stack named 'x' found"), undefined);
    assert.equal(parseLocks(""), undefined);
  });

  it("counts as dead only when all holders were processes of this host that are gone", () => {
    const [ours, other] = parseLocks(COMPLAINT) ?? [];
    assert.ok(ours && other);
    const gone = () => false;
    assert.equal(allHoldersEnded([ours], [], "vm", gone), true);
    assert.equal(
      allHoldersEnded([ours], [], "vm", () => true),
      false,
    );
    assert.equal(allHoldersEnded([ours, other], [], "vm", gone), false);
    assert.equal(allHoldersEnded([ours, other], [{ host: other.host, pid: other.pid }], "vm", gone), true);
    assert.equal(allHoldersEnded([], [], "vm", gone), false);
  });

  it("knows a running process of another program from the engine's", () => {
    // This test process is alive, and is not the engine.
    const lock = { user: "me", host: "here", pid: process.pid, since: "now" };
    assert.equal(allHoldersEnded([lock], [], "here"), process.platform === "linux");
  });

  it("is described for people", () => {
    assert.equal(
      describeLock({ user: "ann", host: "laptop", pid: 7, since: "2026-01-01T00:00:00Z" }),
      "pid 7 of ann on laptop, since 2026-01-01T00:00:00Z",
    );
  });
});
