import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { checkedOut } from "../../../cli/delivery/checkout";

const TEXT = "# ours\nconfig:\n  stackyard:slot:\n    cpu: 2\n";

describe("a checkout", function () {
  this.timeout(30_000);
  let top: string;
  let root: string;

  const git = (...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@example.com", ...args], {
      cwd: top,
      encoding: "utf8",
    });
  const write = (file: string, text: string) => writeFileSync(path.join(root, file), text);

  before(() => {
    top = mkdtempSync(path.join(tmpdir(), "stackyard-checkout-"));
    // A project may be a folder of its repository.
    root = path.join(top, "platform");
    mkdirSync(root);
    git("init", "-q");
    write("Pulumi.dev.yaml", TEXT);
    write("Pulumi.prod.yaml", `encryptionsalt: v1:own\n${TEXT}`);
    write("index.ts", "export {};\n");
    git("add", "-A");
    git("commit", "-qm", "one");
  });
  afterEach(() => {
    git("reset", "-q", "--hard");
    git("clean", "-qfd");
  });
  after(() => rmSync(top, { recursive: true, force: true }));

  const isDirty = async (): Promise<boolean> => (await checkedOut(root)).isDirty;

  it("is clean without a difference, and has the commit", async () => {
    assert.deepEqual(await checkedOut(root), { commit: git("rev-parse", "HEAD").trim(), isDirty: false });
  });

  it("is clean if Pulumi adds a salt to a stack file, staged or not, in any format", async () => {
    write("Pulumi.dev.yaml", `encryptionsalt: v1:new\n${TEXT}`);
    assert.equal(await isDirty(), false);
    git("add", "-A");
    assert.equal(await isDirty(), false);
    write("Pulumi.dev.yaml", "config:\n    stackyard:slot: { cpu: 2 }\nencryptionsalt: v1:new\n");
    assert.equal(await isDirty(), false);
  });

  const changes: Readonly<Record<string, () => void>> = {
    "a changed config in addition to the salt": () =>
      write("Pulumi.dev.yaml", `encryptionsalt: v1:new\n${TEXT.replace("2", "3")}`),
    "another key of Pulumi": () => write("Pulumi.dev.yaml", `secretsprovider: awskms://x\n${TEXT}`),
    "a replaced salt": () => write("Pulumi.prod.yaml", `encryptionsalt: v1:new\n${TEXT}`),
    "a removed salt": () => write("Pulumi.prod.yaml", TEXT),
    "an uncommitted stack file": () => write("Pulumi.new.yaml", "encryptionsalt: v1:new\n"),
    "a deleted stack file": () => rmSync(path.join(root, "Pulumi.dev.yaml")),
    "a salt in a file of another name": () => write("index.ts", "encryptionsalt: v1:new\n"),
    "a file outside the project": () => writeFileSync(path.join(top, "more.txt"), "x"),
    "a salt and another changed file": () => {
      write("Pulumi.dev.yaml", `encryptionsalt: v1:new\n${TEXT}`);
      write("index.ts", "export const x = 1;\n");
    },
  };
  for (const [what, change] of Object.entries(changes)) {
    it(`is dirty with ${what}`, async () => {
      change();
      assert.equal(await isDirty(), true);
    });
  }
});
