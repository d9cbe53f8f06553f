import assert from "node:assert/strict";
import { copyFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { parse } from "yaml";
import type { Summary } from "../../../cli/fleet/summary";
import { testYard } from "../runtime/yard";
import { Project } from "./project";

const HOST = `http://checkouts-${process.pid}.example.com:9091`;

describe("stackyard runtime with two checkouts of one backend", () => {
  let first: Project;
  let second: Project;

  before(async () => {
    const place = await testYard();
    first = new Project(place);
    await first.platform({
      defaultProvisioner: "shared",
      provisioners: {
        shared: { type: "static", spec: { runtimes: [{ host: HOST, slots: 12, dataDir: "/mnt/data" }] } },
      },
    });
    second = new Project(place);
  });
  after(async () => {
    await first.remove();
    rmSync(second.folder, { recursive: true, force: true });
  });

  const must = async (project: Project, ...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await project.stackyard("runtime", ...args);
    assert.equal(code, 0, stderr);
    return stdout + stderr;
  };
  const summary = async (project: Project): Promise<Summary | undefined> =>
    (JSON.parse(await must(project, "list", "-o", "json")) as Summary[]).find(({ id }) => id === "two");
  const deployment = (project: Project): Record<string, unknown> =>
    (parse(readFileSync(project.stackFile("two"), "utf8")) as { config: Record<string, Record<string, unknown>> })
      .config["stackyard-runtime:deployment"] ?? {};

  it("changes only the named fields from the second checkout", async () => {
    await must(
      first,
      "up",
      "two",
      "--version",
      "1",
      "--slots",
      "2",
      "--environment",
      "dev",
      "--annotation",
      "team=blue",
    );
    await must(second, "up", "two", "--version", "2");
    const { slots, version, environment, change } = (await summary(second)) ?? {};
    assert.deepEqual([slots, version, environment, change?.command], [2, "2", "dev", "runtime up"]);
    assert.deepEqual(deployment(second), { slots: 2, version: "2", environment: "dev", annotations: { team: "blue" } });
  });

  it("does not apply a stale stack file unless instructed to", async () => {
    const { code, stderr } = await first.stackyard("runtime", "up", "two", "--json");
    assert.equal(code, 1);
    assert.match(
      stderr,
      /differs from what two was last updated with:\n {2}version: "1" in the file, "2" in the state/,
    );
    assert.match(await must(first, "up", "two", "--slots", "3"), /version: "1" in the file, "2" in the state/);
    assert.deepEqual([(await summary(first))?.version, (await summary(first))?.slots], ["2", 3]);
    assert.deepEqual([deployment(first).version, deployment(first).slots], ["1", 3]);
    await must(first, "up", "two", "--from-file");
    assert.equal((await summary(first))?.version, "1");
  });

  it("keeps nothing of a rejected request, and the next command changes only its own fields", async () => {
    const before = readFileSync(first.stackFile("two"), "utf8");
    const { code, stderr } = await first.stackyard("runtime", "up", "two", "--slots", "500");
    assert.equal(code, 1, stderr);
    assert.equal(readFileSync(first.stackFile("two"), "utf8"), before);
    rmSync(second.stackFile("two"));
    await must(second, "hibernate", "two");
    assert.ok(!existsSync(second.stackFile("two")));
    const { state, slots, change } = (await summary(second)) ?? {};
    assert.deepEqual([state, slots, change?.command], ["hibernated", 3, "runtime hibernate"]);
    await must(second, "wake", "two");
    assert.match(await must(second, "status", "two"), /3 slots of pool here\/shared/);
  });

  it("does not recreate a runtime that was destroyed elsewhere", async () => {
    await must(second, "destroy", "two", "--yes");
    const woken = await first.stackyard("runtime", "wake", "two");
    assert.equal(woken.code, 1);
    assert.match(woken.stderr, /there is no runtime two/);
    assert.equal(await summary(first), undefined);
  });

  it("ignores the stack file of a destroyed runtime for a new one", async () => {
    const { slots } = deployment(first);
    assert.equal(slots, 3);
    assert.equal((await first.pulumi("stack", "init", "two", "--no-select")).code, 0);
    const byHand = await first.pulumi("preview", "-s", "two");
    assert.notEqual(byHand.code, 0);
    assert.match(byHand.stdout + byHand.stderr, /its file is left from one that was destroyed.*up two --from-file/s);
    const incomplete = await first.stackyard("runtime", "up", "two");
    assert.equal(incomplete.code, 2);
    assert.match(incomplete.stderr, /--version must be given.*Pulumi\.two\.yaml is left from a destroyed runtime/s);
    assert.match(await must(first, "preview", "two", "--version", "150"), /is not applied [^]*slots: 3/);
    assert.match(await must(first, "up", "two", "--version", "150"), /is not applied [^]*slots: 3/);
    const made = await summary(first);
    assert.deepEqual([made?.slots, made?.version, made?.environment], [1, "150", "prod"]);
    assert.deepEqual(deployment(first), { slots: 1, version: "150" });
    assert.doesNotMatch(await must(first, "up", "two", "--slots", "2"), /is left from/);
    assert.equal((await first.pulumi("preview", "-s", "two")).code, 0);
  });

  it("creates a runtime from such a file when instructed to, and from a copy under a new name", async () => {
    copyFileSync(first.stackFile("two"), first.stackFile("three"));
    await must(second, "destroy", "two", "--yes");
    await must(first, "up", "two", "--from-file");
    assert.equal((await summary(first))?.slots, 2);
    assert.doesNotMatch(await must(first, "up", "three"), /is left from/);
    assert.match(await must(first, "status", "three"), /2 slots of pool here\/shared/);
    await must(first, "destroy", "two", "three", "--yes");
  });

  it("keeps a secret annotation encrypted while it changes other fields", async () => {
    await must(first, "up", "veiled", "--version", "1");
    const set = ["config", "set", "-s", "veiled", "--secret", "--path", "deployment.annotations.token", "hunter2"];
    assert.equal((await first.pulumi(...set)).code, 0);
    await must(first, "up", "veiled", "--from-file");
    await must(second, "up", "veiled", "--version", "2");
    const exported = (await first.pulumi("stack", "export", "-s", "veiled")).stdout;
    assert.ok(!exported.includes("hunter2"));
    const { stdout } = await first.pulumi("stack", "export", "-s", "veiled", "--show-secrets");
    assert.match(stdout, /\\"token\\":\\"hunter2\\".*\\"version\\":\\"2\\"/);
    assert.ok(!readFileSync(second.stackFile("veiled"), "utf8").includes("hunter2"));
  });
});
