import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { runBuilder, BUILDERS, findBuilder, pushImage, type BuilderName } from "../../../cli/teraslice/build/builders";
import { buildImage } from "../../../cli/teraslice/build/build";
import { createContext } from "../../../cli/context";
import { workspacesIn } from "../../../foundation/pulumi/backend";
import { projectRoot } from "../../../toolchain/root";

const DOUBLE = path.join(__dirname, "../../doubles/builders/builder.mjs");
const TAG = "registry.example.com/teraslice:v3.14.0-own1";

describe("the build of a Teraslice image", function () {
  this.timeout(30_000);
  let folder: string;
  let bin: string;
  const variables = ["PATH", "BUILDER_STORE", "BUILDER_DAEMON", "BUILDER_REGISTRY"];
  const before = variables.map((name) => [name, process.env[name]] as const);

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "stackyard-image-"));
    bin = path.join(folder, "bin");
    mkdirSync(bin);
    // The double's own first line looks for node.
    symlinkSync(process.execPath, path.join(bin, "node"));
    symlinkSync("/usr/bin/env", path.join(bin, "env"));
    Object.assign(process.env, { PATH: bin, BUILDER_STORE: folder });
    writeFileSync(
      path.join(folder, "Containerfile"),
      "ARG NODE\nFROM ghcr.io/terascope/teraslice:v3.14.0\nCOPY a /a\n",
    );
    writeFileSync(path.join(folder, "a"), "a");
  });
  afterEach(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    rmSync(folder, { recursive: true });
  });

  const install = (...names: readonly BuilderName[]): void => {
    for (const name of names) symlinkSync(DOUBLE, path.join(bin, name));
  };
  let heard = "";
  const say = (text: string): void => void (heard += text);
  beforeEach(() => void (heard = ""));
  const calls = (): string[] => readFileSync(path.join(folder, "calls"), "utf8").trim().split("\n");
  const wanted = () => ({ tag: TAG, folder, file: path.join(folder, "Containerfile"), buildArgs: { NODE: "24" } });

  it("fails with the names of all builders if none is installed", async () => {
    await assert.rejects(
      findBuilder(undefined),
      /no builder of images is installed: looked for podman, buildah, docker, nerdctl on PATH\. Install one of them, or/,
    );
    await assert.rejects(findBuilder("docker"), /looked for docker on PATH/);
    await assert.rejects(
      findBuilder("kaniko"),
      /builder: found kaniko; expected one of podman, buildah, docker, nerdctl/,
    );
  });

  it("runs through make from any shell", async () => {
    install("buildah");
    const root = projectRoot();
    const env = { ...process.env, HOME: folder, FOLDER: folder, IMAGE: TAG };
    const program = path.join(root, "toolchain", "bootstrap", "main.js");
    const { stdout } = await promisify(execFile)(process.execPath, [program, "teraslice-build"], { cwd: root, env });
    assert.equal(stdout.trim(), TAG);
    assert.match(calls().join("\n"), /^buildah build --tag /m);
  });

  it("uses the first builder that works", async () => {
    install("docker", "buildah");
    assert.equal((await findBuilder(undefined)).name, "buildah");
    assert.equal((await findBuilder("docker")).name, "docker");
    process.env["BUILDER_DAEMON"] = "off";
    await assert.rejects(
      findBuilder("docker"),
      /no builder of images works: looked for docker on PATH\.\n {2}- \S+docker does not work here: Cannot connect to the docker daemon/,
    );
  });

  for (const name of BUILDERS) {
    it(`builds and pushes with ${name}, and returns id and digest`, async () => {
      install(name);
      const builder = await findBuilder(name);
      assert.match(await runBuilder(builder, wanted(), say), /^sha256:[0-9a-f]{64}$/);
      assert.match(await pushImage(builder, TAG, say), /^sha256:[0-9a-f]{64}$/);
    });

    it(`fails with the output of ${name}`, async () => {
      install(name);
      const builder = await findBuilder(name);
      rmSync(path.join(folder, "a"));
      await assert.rejects(
        runBuilder(builder, wanted(), say),
        new RegExp(`${name} could not build ${TAG}; its output is`),
      );
      assert.match(heard, /STEP "COPY a \/a": .*no such file or directory/);
      await assert.rejects(pushImage(builder, TAG, say), new RegExp(`${name} could not push ${TAG}; .*logged in`));
    });
  }

  /** What the command prints, and says. */
  async function built(...more: [Partial<Parameters<typeof buildImage>[2]>?, string?]) {
    const said: string[] = [];
    const printed: string[] = [];
    const context = createContext(workspacesIn(folder, undefined));
    context.live.line = (text: string) => void said.push(text);
    await buildImage(
      { ...context, print: (text) => void printed.push(text) },
      more[1] ?? folder,
      { tag: TAG, ...more[0] },
      say,
    );
    return { printed, said: said.join("\n") };
  }

  it("prints the image as in a config, with its digest after a push", async () => {
    install("podman");
    const { printed, said } = await built({ buildArg: { NODE: "24" }, platform: "linux/amd64" });
    assert.deepEqual(printed, [TAG]);
    assert.match(said, /with the id sha256:[0-9a-f]{64}; only podman of this machine has it \(--push\)/);
    const [, call = ""] = calls();
    assert.match(
      call,
      /^podman build --tag \S+ --file \S+\/Containerfile --iidfile \S+ --platform linux\/amd64 --build-arg NODE=24 \S+$/,
    );
    const pushed = await built({ push: true });
    assert.match(pushed.printed[0] ?? "", /^registry\.example\.com\/teraslice:v3\.14\.0-own1@sha256:[0-9a-f]{64}$/);
  });

  it("uses a Dockerfile or the named file", async () => {
    install("docker");
    await assert.rejects(built({ file: path.join(folder, "Other") }), /file: found \S+Other; expected a file/);
    await assert.rejects(
      built({}, bin),
      /folder: found \S+bin; expected one with Containerfile or Dockerfile, or --file/,
    );
    await assert.rejects(built({}, path.join(folder, "absent")), /folder: found \S+absent; expected a folder/);
    writeFileSync(path.join(bin, "Dockerfile"), "FROM scratch\n");
    assert.deepEqual((await built({}, bin)).printed, [TAG]);
  });

  it("requires a tag that a config accepts", async () => {
    await assert.rejects(built({ tag: "teraslice" }), /tag: found "teraslice"; expected an image with a fixed tag/);
    await assert.rejects(
      built({ tag: "teraslice:latest" }),
      /found "teraslice:latest"; expected an image with a fixed tag/,
    );
    await assert.rejects(built({ tag: `${TAG}@sha256:${"0".repeat(64)}` }), /expected a tag; the digest follows/);
  });

  it("is rejected by the double like by the real builders", async () => {
    install("buildah", "docker");
    const call = (name: string, ...args: string[]) =>
      promisify(execFile)(path.join(bin, name), args).then(
        () => "",
        (error: { stderr: string }) => error.stderr,
      );
    assert.match(await call("buildah", "build", "--nonsense", folder), /^Error: unknown flag: --nonsense/);
    assert.match(await call("docker", "push", "--digestfile", "x", TAG), /^unknown flag: --digestfile/);
    assert.match(await call("buildah", "build", folder, bin), /accepts at most 1 arg\(s\), received 2/);
    assert.match(await call("buildah", "build", "-t", "Local/Test:1", folder), /repository name must be lowercase/);
    assert.match(await call("buildah", "push", "nothere:1"), /nothere:1: image not known/);
    writeFileSync(path.join(folder, "Containerfile"), "RUN x\n");
    assert.match(await call("buildah", "build", folder), /no FROM statement found/);
  });
});
