import assert from "node:assert/strict";
import { testYard } from "../runtime/yard";
import { holdLedger, until, waitsForLedger } from "./held";
import { Project } from "./project";
import { newMark, processesWith } from "./marked";

describe("a command that is killed", () => {
  let project: Project;
  const mark = newMark();

  before(async () => {
    const place = await testYard();
    project = new Project({ ...place, env: { ...place.env, ...Object.fromEntries([mark]) } });
    const hosts = [{ host: `http://killed-${process.pid}.example.com`, slots: 4, dataDir: "/mnt" }];
    await project.platform({
      defaultProvisioner: "shared",
      provisioners: { shared: { type: "static", spec: { runtimes: hosts } } },
    });
  });
  after(() => project.remove());

  const remaining = (): string[] => processesWith(mark);

  for (const [verb, flags] of [
    ["up", ["--version", "1"]],
    ["destroy", ["--yes"]],
  ] as const) {
    it(`leaves no process of ${verb}, not even the engine's language host`, async () => {
      if (verb === "destroy") await project.stackyard("runtime", "up", "acme", "--version", "1");
      const release = await holdLedger(project.place);
      try {
        const { pid, ended } = project.start("runtime", verb, "acme", ...flags);
        await until("it waits for the ledger", () => waitsForLedger(project.place));
        process.kill(pid, "SIGKILL");
        await ended;
        await until("no process remains", () => Promise.resolve(remaining().length === 0));
      } finally {
        await release();
      }
      assert.deepEqual(remaining(), []);
    });
  }
});
