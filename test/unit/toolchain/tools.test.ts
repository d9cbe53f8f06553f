import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as semver from "semver";
import { projectRoot } from "../../../toolchain/root";
import { buildsAtOnce } from "../../../toolchain/tools/build";
import { ensureTools, type Tools, type Ways } from "../../../toolchain/tools/ensure";
import { couldNotDownload } from "../../../toolchain/tools/folder";
import { findPresent } from "../../../toolchain/tools/present";
import { GARDENER, gardenerServer } from "../../../toolchain/tools/gardener";
import { helm } from "../../tools/helm";
import { CHARTS } from "../../../components/charts/table";
import { karpenter } from "../../../toolchain/tools/karpenter";
import { prometheus, promtool } from "../../tools/prometheus";
import { registry } from "../../tools/registry";
import { kuberay } from "../../tools/kuberay";
import { velero, veleroPlugin } from "../../tools/velero";
import { TOOLS, type Tool } from "../../../toolchain/tools/table";
import { versitygw } from "../../../toolchain/tools/versitygw";
import { yardNode } from "../../../toolchain/tools/yardNode";

const TOOL: Tool = {
  name: "tool",
  title: "Tool",
  version: "1.2.3",
  programs: ["tool", "helper"],
  present: { probes: [{ program: "tool", args: ["--version"], answer: "v1.2.3" }], pulumiFolders: ["versions/1.2.3"] },
  archives: () => [],
  builds: [],
  buildMinutes: 1,
};

function program(file: string, text = "\x7fELF"): string {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text, { mode: 0o755 });
  return file;
}

describe("a tool", () => {
  let folder: string;
  let tried: string[];

  beforeEach(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "stackyard-tools-")));
    tried = [];
  });
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  function fillWith(text: string, into: string): void {
    for (const name of TOOL.programs) program(path.join(into, name), text);
  }

  function ways(can: { present?: boolean; archive?: boolean; build?: boolean }): Ways {
    return {
      present: () => {
        tried.push("present");
        if (!can.present) return Promise.resolve(undefined);
        const files = TOOL.programs.map((name) => [name, program(path.join(folder, "elsewhere", name), "found")]);
        return Promise.resolve(Object.fromEntries(files) as Record<string, string>);
      },
      archive: (_, into) => {
        tried.push("archive");
        if (can.archive) fillWith("downloaded", into);
        return Promise.resolve(can.archive === true);
      },
      build: async (_, into) => {
        tried.push("build");
        await new Promise((resolve) => setTimeout(resolve, 50));
        if (can.build === false) throw new Error("does not compile");
        fillWith("built", into);
      },
    };
  }

  const ensure = (which: Parameters<typeof ways>[0]): Promise<Tools> =>
    ensureTools(projectRoot(), [TOOL], { folder: path.join(folder, "tools"), ways: ways(which) });
  const content = (tools: Tools): string => fs.readFileSync(tools.programs["tool"] ?? "", "utf8");

  it("is used from the machine if it is there at the pinned version", async () => {
    const tools = await ensure({ present: true, archive: true });
    assert.deepEqual(tried, ["present"]);
    assert.equal(fs.realpathSync(tools.programs["tool"] ?? ""), path.join(folder, "elsewhere", "tool"));
  });

  it("is downloaded if it is not on the machine, and built only if the download fails", async () => {
    assert.equal(content(await ensure({ archive: true })), "downloaded");
    assert.deepEqual(tried, ["present", "archive"]);
    fs.rmSync(path.join(folder, "tools"), { recursive: true });
    const built = await ensure({});
    assert.equal(content(built), "built");
    assert.deepEqual(tried.slice(2), ["present", "archive", "build"]);
    assert.equal(couldNotDownload(built.folders), true);
  });

  it("is not searched for again once it is installed", async () => {
    await ensure({ archive: true });
    const again = await ensure({});
    assert.equal(content(again), "downloaded");
    assert.deepEqual(tried, ["present", "archive"]);
  });

  it("leaves nothing behind if it cannot be installed, so that the next attempt starts over", async () => {
    await assert.rejects(ensure({ build: false }), /does not compile/);
    assert.deepEqual(fs.readdirSync(path.join(folder, "tools")), []);
    assert.equal(content(await ensure({})), "built");
  });

  it("is installed again if its folder lost a program", async () => {
    const tools = await ensure({ archive: true });
    fs.rmSync(tools.programs["helper"] ?? "");
    await ensure({});
    assert.equal(fs.existsSync(tools.programs["helper"] ?? ""), true);
  });

  it("is searched for again if the file on the machine changed", async () => {
    await ensure({ present: true });
    program(path.join(folder, "elsewhere", "tool"), "a newer version");
    assert.equal(content(await ensure({ archive: true })), "downloaded");
  });

  it("is installed once for two concurrent requests", async () => {
    await Promise.all([ensure({}), ensure({})]);
    assert.deepEqual(tried, ["present", "archive", "build"]);
  });
});

describe("a tool on the machine", () => {
  let home: string;
  beforeEach(() => (home = fs.mkdtempSync(path.join(os.tmpdir(), "stackyard-present-"))));
  afterEach(() => fs.rmSync(home, { recursive: true }));

  it("is recognized by Pulumi's own folder, whose name has the version", async () => {
    for (const name of TOOL.programs) program(path.join(home, "versions/1.2.3", name));
    const found = await findPresent(TOOL, { PULUMI_HOME: home, PATH: "" });
    assert.equal(found?.["helper"], path.join(home, "versions/1.2.3/helper"));
  });

  it("is not used if one of its programs is missing", async () => {
    program(path.join(home, "versions/1.2.3/tool"));
    assert.equal(await findPresent(TOOL, { PULUMI_HOME: home, PATH: "" }), undefined);
  });

  it("is not used if it is a script, which could be a launcher that downloads", async () => {
    for (const name of TOOL.programs)
      program(path.join(home, "bin", name), `#!/bin/sh\ntouch ${home}/ran; echo v1.2.3\n`);
    assert.equal(await findPresent(TOOL, { PULUMI_HOME: home, PATH: path.join(home, "bin") }), undefined);
    assert.equal(fs.existsSync(path.join(home, "ran")), false);
  });

  it("on PATH is used only if it has the pinned version", async () => {
    const node: Tool = {
      ...TOOL,
      programs: ["node"],
      present: { probes: [{ program: "node", args: ["--version"], answer: process.version }] },
    };
    const PATH = path.dirname(process.execPath);
    assert.equal((await findPresent(node, { PATH }))?.["node"], process.execPath);
    const other = { ...node, present: { probes: [{ program: "node", args: ["--version"], answer: "v0.1.0" }] } };
    assert.equal(await findPresent(other, { PATH }), undefined);
  });
});

describe("the table of tools", () => {
  const go = (module: string, file: string): string =>
    fs.readFileSync(path.join(projectRoot(), "toolchain/go", module, file), "utf8");
  const required = (module: string, name: string): string | undefined =>
    new RegExp(`^\\s*(?:require )?${name.replaceAll(".", "\\.")} v(\\S+)`, "m").exec(go(module, "go.mod"))?.[1];
  const version = (name: string): string | undefined => TOOLS.find((tool) => tool.name === name)?.version;

  it("names the versions that the Go modules pin", () => {
    assert.equal(version("pulumi"), required("pulumi", "github.com/pulumi/pulumi/pkg/v3"));
    assert.equal(version("control-plane"), required("control-plane", "k8s.io/kubernetes"));
    assert.equal(yardNode.version, required("node", "k8s.io/kubernetes"));
    assert.equal(helm.version, required("helm", "helm.sh/helm/v4"));
    assert.equal(required("helm", "k8s.io/client-go"), required("control-plane", "k8s.io/client-go"));
    assert.equal(karpenter.version, required("karpenter", "sigs.k8s.io/karpenter"));
    // What a yard runs is what a platform installs.
    assert.equal(karpenter.version, CHARTS.karpenter.version);
    assert.equal(registry.version, required("registry", "github.com/distribution/distribution/v3"));
    for (const { version } of [prometheus, promtool]) {
      const [major, minor, patch] = version.split(".");
      assert.equal(`0.${major}${minor}.${patch}`, required("prometheus", "github.com/prometheus/prometheus"));
    }
    const module = "github.com/vmware-tanzu/velero";
    assert.deepEqual(
      [velero.version, veleroPlugin.version],
      [required("velero", module), required("velero", `${module}-plugin-for-aws`)],
    );
    assert.equal(versitygw.version, required("versitygw", "github.com/versity/versitygw"));
    assert.equal(kuberay.version, required("kuberay", "github.com/ray-project/kuberay/ray-operator"));
    for (const release of Object.values(GARDENER)) {
      const [module = ""] = gardenerServer(release).builds.map((build) => build.module);
      assert.equal(release.version, required(module, "github.com/gardener/gardener"));
    }
    assert.equal(version("kwok"), required("control-plane", "sigs.k8s.io/kwok"));
    const etcd = TOOLS.flatMap((tool) => tool.present.probes ?? []).find((probe) => probe.program === "etcd");
    assert.equal(etcd?.answer, `etcd Version: ${required("control-plane", "go.etcd.io/etcd/server/v3")}`);
  });

  it("names the versions of the matching npm packages", () => {
    const { dependencies } = JSON.parse(fs.readFileSync(path.join(projectRoot(), "package.json"), "utf8")) as {
      dependencies: Record<string, string>;
    };
    // The engine must know all that the SDK requests of it.
    assert.ok(semver.gte(version("pulumi") ?? "", dependencies["@pulumi/pulumi"] ?? ""));
    assert.equal(version("pulumi-resource-kubernetes"), dependencies["@pulumi/kubernetes"]);
  });

  for (const [setting, expected] of [
    ["false", "-typescript=false 127.0.0.1:1"],
    ["true", "127.0.0.1:1"],
    [undefined, "127.0.0.1:1"],
  ] as const) {
    it(`starts the language host without ts-node only if the environment requests it (${setting})`, () => {
      const launcher = TOOLS.flatMap(({ builds }) => builds).find(({ launcher }) => launcher)?.launcher;
      assert.ok(launcher);
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), "stackyard-launcher-"));
      try {
        const file = path.join(folder, launcher.name);
        fs.writeFileSync(file, launcher.script, { mode: 0o755 });
        fs.writeFileSync(path.join(folder, `${launcher.name}-host`), '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
        const env = { PATH: process.env["PATH"], ...(setting && { PULUMI_NODEJS_TYPESCRIPT: setting }) };
        assert.equal(execFileSync(file, ["127.0.0.1:1"], { env, encoding: "utf8" }).trim(), expected);
      } finally {
        fs.rmSync(folder, { recursive: true });
      }
    });
  }

  for (const tool of TOOLS) {
    it(`has a build and release archives with every program of ${tool.name}`, () => {
      const built = tool.builds.flatMap(({ output, alsoKnownAs = [], launcher }) => [
        output,
        ...alsoKnownAs,
        ...(launcher ? [launcher.name] : []),
      ]);
      for (const name of tool.programs) assert.ok(built.includes(name), `${name} is not built`);
      for (const { module } of tool.builds) assert.ok(go(module, "go.sum").length > 0);
      for (const arch of ["amd64", "arm64"]) {
        const archives = tool.archives({ os: "linux", arch });
        assert.deepEqual(
          archives.flatMap((archive) => Object.keys(archive.programs)).sort(),
          [...tool.programs].sort(),
        );
        for (const { url, checksums } of archives)
          assert.ok(url.startsWith("https://") && checksums.startsWith("https://"));
      }
    });
  }

  it("lets two builds run at once if memory allows, else one", () => {
    assert.equal(buildsAtOnce(24e9, 2), 2);
    assert.equal(buildsAtOnce(8e9, 8), 1);
    assert.equal(buildsAtOnce(2e9, 1), 1);
  });
});
