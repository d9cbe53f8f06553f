import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { checkOut } from "../../../toolchain/tools/checkout";
import { askedExtensions, extensionOf } from "../../../toolchain/tools/extensions";

const MODULE = "github.com/gardener/gardener";

describe("the extensions of Gardener", () => {
  it("are all built by default, and those that EXTENSIONS names otherwise", () => {
    assert.deepEqual(askedExtensions(""), ["aws", "azure", "gcp", "openstack"]);
    assert.deepEqual(askedExtensions("openstack,azure"), ["azure", "openstack"]);
    assert.deepEqual(askedExtensions("none"), []);
    assert.throws(
      () => askedExtensions("alicloud"),
      /EXTENSIONS: found alicloud; expected some of aws,azure,gcp,openstack/,
    );
  });

  it("are built in their own repository at the tag of their version", () => {
    const { version, builds, programs } = extensionOf("azure");
    assert.deepEqual(builds[0]?.checkout, {
      repository: "gardener/gardener-extension-provider-azure",
      tag: `v${version}`,
    });
    assert.deepEqual(programs, ["gardener-extension-admission-azure"]);
  });

  describe("with repositories in SOURCES", () => {
    const before = process.env["SOURCES"];
    let folder: string;
    beforeEach(() => {
      folder = fs.mkdtempSync(path.join(os.tmpdir(), "stackyard-extensions-"));
      process.env["SOURCES"] = path.join(folder, "sources");
    });
    afterEach(() => {
      fs.rmSync(folder, { recursive: true });
      if (before === undefined) delete process.env["SOURCES"];
      else process.env["SOURCES"] = before;
    });

    /** A repository in SOURCES with one file at a tag. */
    function repository(name: string, tag: string, file: string, text: string): void {
      const at = path.join(folder, "sources", name);
      fs.mkdirSync(at, { recursive: true });
      fs.writeFileSync(path.join(at, file), text);
      const author = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"];
      for (const args of [
        ["init", "--quiet"],
        ["add", "."],
        [...author, "commit", "--quiet", "-m", "a"],
        ["tag", tag],
      ])
        execFileSync("git", args, { cwd: at });
    }
    const extension = { repository: "gardener/an-extension", tag: "v1.2.3" };
    const requires = (version: string) =>
      `module example.com/an-extension\n\ngo 1.26\n\nrequire (\n\t${MODULE} ${version}\n\t${MODULE}/pkg/apis ${version}\n\texample.com/other v1.0.0\n)\n`;

    it("are checked out from there, and so are the modules of Gardener that they require", async () => {
      repository("an-extension", "v1.2.3", "go.mod", requires("v1.144.2"));
      repository("gardener", "v1.144.2", "go.mod", `module ${MODULE}\n`);
      const target = path.join(folder, "target");
      const source = await checkOut(extension, target);
      const gardener = path.join(target, "gardener");
      const found = fs.readFileSync(path.join(source, "go.mod"), "utf8");
      assert.ok(fs.existsSync(path.join(gardener, "go.mod")));
      assert.ok(found.includes(`${MODULE} => ${gardener}`), found);
      assert.ok(found.includes(`${MODULE}/pkg/apis => ${gardener}/pkg/apis`), found);
      assert.doesNotMatch(found, /other =>/);
    });

    it("are checked out at a commit", async () => {
      repository("an-extension", "v1.2.3", "go.mod", requires("v1.144.2"));
      const at = path.join(folder, "sources", "an-extension");
      const tag = execFileSync("git", ["rev-parse", "HEAD"], { cwd: at, encoding: "utf8" }).trim();
      const source = await checkOut({ ...extension, tag }, path.join(folder, "target"));
      assert.equal(fs.readFileSync(path.join(source, "go.mod"), "utf8"), requires("v1.144.2"));
    });

    it("keep their modules where Gardener's repository is not there", async () => {
      repository("an-extension", "v1.2.3", "go.mod", requires("v1.144.2"));
      const source = await checkOut(extension, path.join(folder, "target"));
      assert.equal(fs.readFileSync(path.join(source, "go.mod"), "utf8"), requires("v1.144.2"));
    });

    it("are missing with the tag, the repository and the remedy", async () => {
      repository("an-extension", "v1.0.0", "go.mod", requires("v1.144.2"));
      await assert.rejects(
        checkOut(extension, path.join(folder, "target")),
        /tag v1\.2\.3 of file:\/\/\S+an-extension can't be cloned: .* SOURCES can have the repository an-extension/,
      );
    });
  });
});
