import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import * as path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { projectRoot } from "../../../toolchain/root";
import { testYard } from "../runtime/yard";
import { holdLedger, until, waitsForLedger } from "./held";
import { Project } from "./project";

/** As in a container: a PID namespace, and the host name of the machine. */
const CONTAINER = ["--pid", "--fork", "--mount-proc", "--kill-child"];
const STACKYARD = path.join(projectRoot(), "cli", "bin", "stackyard");
const HOST = `http://containers-${process.pid}.example.com:9091`;

describe("the lock of a stack", () => {
  let project: Project;

  before(async function () {
    if (process.platform !== "linux") this.skip();
    project = new Project(await testYard());
    await project.platform({
      defaultProvisioner: "shared",
      provisioners: { shared: { type: "static", spec: { runtimes: [{ host: HOST, slots: 12 }] } } },
    });
  });
  after(() => project?.remove());

  it("is not removed from a container with the same host name, nor a container's lock from the host", async function () {
    if (spawnSync("unshare", ["--pid", "--fork", "--mount-proc", "true"]).status !== 0) {
      console.log("      skipped: unshare --pid is not permitted here");
      this.skip();
    }
    const contained = (...args: string[]) => project.run("unshare", ...CONTAINER, STACKYARD, "runtime", ...args);
    const release = await holdLedger(project.place);
    const first = project.start("runtime", "up", "both", "--version", "1");
    try {
      await until("it waits for the ledger", () => waitsForLedger(project.place));
      const refused = await contained("up", "both", "--version", "77").ended;
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /another process is working on this stack: pid \d+ of \S+ on \S+, since /);
      assert.match(refused.stderr, /"pulumi cancel both" in runtime\/ removes the lock/);
      assert.doesNotMatch(refused.stderr, /removed the lock/);
    } finally {
      await release();
    }
    assert.equal((await first.ended).code, 0);

    const again = await holdLedger(project.place);
    const killed = contained("up", "both", "--slots", "2");
    try {
      await until("it waits for the ledger", () => waitsForLedger(project.place));
      process.kill(killed.pid, "SIGKILL");
      await killed.ended;
    } finally {
      await again();
    }
    const outside = await project.stackyard("runtime", "up", "both", "--slots", "2");
    assert.equal(outside.code, 1, "the machine can't know what ran in the container");
    assert.match(outside.stderr, /"pulumi cancel both"/);
    assert.equal((await project.pulumi("cancel", "both", "--yes")).code, 0);
    await project.runtime("up", "both", "--slots", "2");
  });

  it("is removed after a killed plain pulumi up, because the provider recorded its engine", async () => {
    await project.runtime("up", "plain", "--version", "1");
    const release = await holdLedger(project.place);
    try {
      const plain = project.run("pulumi", "up", "-s", "plain", "--yes", "--skip-preview", "--refresh");
      await until("it waits for the ledger", () => waitsForLedger(project.place));
      assert.match(
        (await project.stackyard("runtime", "up", "plain")).stderr,
        /another process is working on this stack/,
      );
      process.kill(plain.pid, "SIGKILL");
      await plain.ended;
    } finally {
      await release();
    }
    await sleep(1_000);
    const { stderr } = await project.runtime("up", "plain", "--slots", "2");
    assert.match(stderr, /removed the lock of a process that is gone \(pid \d+/);
  });
});
