import assert from "node:assert/strict";
import { truncateSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import type { Listed } from "../../../cli/runtime/list";
import { testYard } from "../runtime/yard";
import { Project, type Ended } from "./project";

const HOST = `http://interrupted-${process.pid}.example.com:9091`;

describe("what a kill leaves of a state", () => {
  let project: Project;
  let state: string;

  before(async () => {
    const place = await testYard();
    project = new Project(place);
    state = path.join(place.env["PULUMI_BACKEND_URL"]!.slice("file://".length), ".pulumi", "stacks");
    await project.platform({
      defaultProvisioner: "shared",
      provisioners: { shared: { type: "static", spec: { runtimes: [{ host: HOST, slots: 12, dataDir: "/mnt" }] } } },
    });
  });
  after(() => project.remove());

  const well = async (...args: string[]): Promise<Ended> => {
    const ended = await project.stackyard(...args);
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    return ended;
  };
  const runtime = (...args: string[]): Promise<Ended> => well("runtime", ...args);
  const checkpoint = (id: string): string => path.join(state, "stackyard-runtime", `${id}.json`);

  it("empty attributes of a state are removed by every command, which says so", async () => {
    await runtime("up", "acme", "--version", "1");
    for (const args of [["up", "acme"], ["status", "acme"], ["list"]]) {
      writeFileSync(`${checkpoint("acme")}.attrs`, "");
      const { stderr } = await runtime(...args);
      assert.match(stderr, /repaired the state: removed \S+acme\.json\.attrs/, args.join(" "));
    }
  });

  it("those of the platform stack too, by whatever reads it", async () => {
    writeFileSync(path.join(state, "stackyard", "here.json.attrs"), "");
    assert.match(
      (await runtime("up", "acme", "--slots", "2")).stderr,
      /repaired the state: removed \S+here\.json\.attrs/,
    );
    writeFileSync(path.join(state, "stackyard", "here.json.attrs"), "");
    assert.match((await well("provisioners", "show", "--stack", "here")).stderr, /repaired the state/);
  });

  it("a state that was cut off is restored from its backup, and kept aside", async () => {
    truncateSync(checkpoint("acme"), 200);
    assert.match(
      (await runtime("up", "acme", "--slots", "3")).stderr,
      /acme\.json was empty or cut off and is restored from/,
    );
    const list = JSON.parse((await runtime("list", "--json")).stdout) as Listed[];
    assert.equal(list.find(({ id }) => id === "acme")?.cpu, 3);
    truncateSync(checkpoint("acme"), 0);
    assert.match((await runtime("list")).stderr, /restored from/);
    truncateSync(checkpoint("acme"), 0);
    writeFileSync(`${checkpoint("acme")}.bak.attrs`, "");
    assert.match((await runtime("destroy", "acme", "--yes")).stderr, /restored from[^]*acme is gone/);
  });
});
