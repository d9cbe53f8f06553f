import * as assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, hostname, tmpdir } from "node:os";
import * as path from "node:path";
import { backendName } from "../../../foundation/pulumi/backend";

describe("the name of a state backend", () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), "backend-"))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const named = (url: string): string => backendName({ folder, backend: url });

  it("has no credentials and no options", () => {
    assert.equal(named("postgres://ann:secret@db:5432/states?sslmode=require"), "postgres://db:5432/states");
    assert.equal(named("s3://bucket/folder/?region=eu-central-1"), "s3://bucket/folder");
  });

  it("is an absolute path with the host for a folder", () => {
    assert.equal(named("file:///var/state/"), `file:///var/state on ${hostname()}`);
    assert.equal(named("file://~"), `file://${homedir()} on ${hostname()}`);
    assert.equal(named("file://./state"), `file://${path.join(folder, "state")} on ${hostname()}`);
    assert.equal(named("file:///a%20b"), `file:///a b on ${hostname()}`);
  });

  it("is the given one, otherwise that in Pulumi.yaml, otherwise that of pulumi login", () => {
    writeFileSync(path.join(folder, "credentials.json"), JSON.stringify({ current: "gs://login" }));
    const login = { PULUMI_HOME: folder };
    assert.equal(backendName({ folder }, login), "gs://login");
    writeFileSync(path.join(folder, "Pulumi.yaml"), "name: x\nbackend:\n  url: gs://project\n");
    assert.equal(backendName({ folder }, login), "gs://project");
    assert.equal(backendName({ folder, backend: "gs://env" }, login), "gs://env");
  });

  it("is the same in the folder of the program, below the project, and behind a link", () => {
    writeFileSync(path.join(folder, "Pulumi.yaml"), "name: x\nmain: dist/index.js\nbackend:\n  url: file://./state\n");
    const program = path.join(folder, "dist");
    mkdirSync(program);
    const link = `${folder}-link`;
    symlinkSync(folder, link);
    try {
      const expected = `file://${path.join(realpathSync(folder), "state")} on ${hostname()}`;
      assert.deepEqual(
        [folder, program, link].map((at) => backendName({ folder: at }, {})),
        [expected, expected, expected],
      );
      assert.equal(backendName({ folder: program, backend: "file://./state" }), expected);
    } finally {
      rmSync(link);
    }
  });

  it("is marked if it is unknown", () => {
    assert.equal(backendName({ folder }, { PULUMI_HOME: folder }), `an unknown backend on ${hostname()}`);
  });
});
