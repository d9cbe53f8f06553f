import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { PulumiProcess } from "../../../engine/pulumi/pulumi";

describe("the temporary files of an engine run", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "stackyard-engine-"));
    const engine =
      '#!/bin/sh\nplace="${TMPDIR:-/tmp}"\necho "$place"\n[ "$1" = stack ] || echo key > "$place/kubeconfig123"\nexit 3\n';
    writeFileSync(path.join(folder, "pulumi"), engine);
    chmodSync(path.join(folder, "pulumi"), 0o755);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const placeOf = async (...args: string[]): Promise<string> => {
    const env = { PATH: `${folder}${path.delimiter}${process.env["PATH"] ?? ""}` };
    const { stdout, code } = await new PulumiProcess(args, { folder }, { env }).finished;
    assert.equal(code, 3);
    return stdout.trim();
  };

  it("are in a folder of the run, which is deleted with the run, however it ends", async () => {
    for (const verb of ["up", "preview", "refresh", "destroy", "import"]) {
      const place = await placeOf(verb, "--stack", "acme");
      assert.match(path.basename(place), /^stackyard-run-/, verb);
      assert.equal(existsSync(place), false, verb);
    }
  });

  it("are in the usual folder for a run without providers", async () => {
    assert.equal(await placeOf("stack", "ls"), process.env["TMPDIR"] ?? "/tmp");
  });
});
