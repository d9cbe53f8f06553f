import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { EngineRun } from "../../../foundation/process/engines";
import { testYard } from "../runtime/yard";
import { Project } from "./project";

const host = (name: string, more: object = {}) => ({ host: `http://${name}.drain.localhost`, slots: 4, ...more });
const A = host("a").host;
const B = host("b").host;

describe("stackyard provisioners drain", () => {
  let project: Project;
  const drain = (...args: string[]) => project.stackyard("provisioners", ...args, "--stack", "here");
  const hostOf = async (id: string) =>
    (JSON.parse((await project.stackyard("runtime", "status", id, "--json")).stdout) as { outputs: { host: string } })
      .outputs.host;
  const platformFile = () => readFileSync(path.join(project.folder, "Pulumi.here.yaml"), "utf8");

  before(async () => {
    project = new Project(await testYard());
    await project.platform({
      provisioners: { shared: { type: "static", spec: { runtimes: [host("a"), host("b", { drain: true })] } } },
      defaultProvisioner: "shared",
    });
    for (const [id, slots] of [
      ["one", "2"],
      ["two", "2"],
    ] as const) {
      const { code, stderr } = await project.stackyard("runtime", "up", id, "--version", "1", "--slots", slots);
      assert.equal(code, 0, stderr);
    }
  });
  after(() => project.remove());

  it("only reports planned moves with --dry-run", async () => {
    const before = platformFile();
    const { code, stderr } = await drain("drain", A, "--move", "--dry-run");
    assert.equal(code, 0, stderr);
    assert.match(stderr, /2 deployments would be moved off \S+: one \(2 slots\), two \(2 slots\)/);
    assert.match(stderr, /a move does not copy data/);
    assert.equal(platformFile(), before);
  });

  it("moves nothing without room on another host, lists what stays, and continues once there is room", async () => {
    const full = await drain("drain", A, "--move", "--yes");
    assert.equal(full.code, 1, full.stderr);
    assert.match(full.stdout, /STILL ON THE HOST +REASON\none +no other host of its pool has room; it stays on/);
    assert.match(full.stderr, /0 of 2 moved; run the same command again/);

    const opened = await drain("undrain", B, "--yes");
    assert.equal(opened.code, 0, opened.stderr);
    const again = await drain("drain", A, "--move", "--yes", "--parallel", "2");
    assert.equal(again.code, 0, again.stderr);
    assert.match(again.stderr, /is drained already.*2 deployments moved; \S+ has none any more/s);
    assert.deepEqual([await hostOf("one"), await hostOf("two")], [B, B]);
    const shown = await project.stackyard("provisioners", "show", "--stack", "here", "--json");
    const [{ warnings }] = JSON.parse(shown.stdout) as [{ warnings: string[] }];
    assert.match(warnings.join("\n"), /4 of 4 slots are taken \(100 %\).*\n.*every host is 70 % full/);
  });

  it("removes the lock of a killed platform update", async function () {
    if (process.platform !== "linux") this.skip();
    const engine = spawn(process.execPath, ["-e", "setTimeout(() => {}, 600000)"], { stdio: "ignore" });
    const { record } = EngineRun.begin(engine.pid ?? 0);
    const ended = new Promise((resolve) => engine.once("exit", resolve));
    engine.kill("SIGKILL");
    await ended;
    const state = (project.place.env["PULUMI_BACKEND_URL"] ?? "").slice("file://".length);
    const locks = path.join(state, ".pulumi", "locks", "organization", "stackyard", "here");
    mkdirSync(locks, { recursive: true });
    const timestamp = new Date(record.at).toISOString();
    const lock = { pid: record.pid, username: "ann", hostname: record.host, timestamp };
    writeFileSync(path.join(locks, `${randomUUID()}.json`), JSON.stringify(lock));
    const { code, stderr } = await drain("undrain", A, "--yes");
    assert.equal(code, 0, stderr);
    assert.match(stderr, /removed the lock of a process that is gone \(pid \d+ of ann/);
  });

  it("keeps a provisioner in use in the set unless the config allows its removal by name", async () => {
    const up = (...args: string[]) => project.must("pulumi", ...args, "-s", "here", "--non-interactive");
    const refused =
      /pool here\/shared cannot be removed while it has 2 deployments.*stackyard:allowRemoval\[0\]' shared/s;
    await assert.rejects(up("destroy", "--yes", "--skip-preview"), refused);
    await up("config", "set", "--path", "stackyard:allowRemoval[0]", "shared");
    await up("destroy", "--yes", "--skip-preview");
  });
});
