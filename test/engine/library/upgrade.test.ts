import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type * as commandLine from "../../../toolchain/release/commandLine";
import type * as packages from "../../../toolchain/release/package";
import { writeNodeSdk } from "../../../toolchain/release/sdk";
import { projectRoot } from "../../../toolchain/root";
import { lastRelease } from "../../tools/lastRelease";
import { bundleFolder } from "../bundles/bundleFolder";
import { Project } from "../cli/project";
import { kubernetesProvisioner } from "../runtime/provisioner";
import { World } from "../runtime/world";
import { testYard } from "../runtime/yard";
import { newProject } from "./newProject";

/** Parts of a platform, and the same as components in its program, by the SDK that is in the folder `sdk`. */
const program = (ray: object = {}): string => `
const pulumi = require("@pulumi/pulumi");
const { ManifestSet, platform } = require("stackyard");
const stackyard = require("./sdk");

const config = new pulumi.Config("team");
const cluster = { kubeconfig: { content: config.requireSecret("kubeconfig") } };
const version = config.require("version");
new stackyard.KubernetesRuntime("own", {
  cluster, version, namespace: "upgrade-own", createNamespace: true, host: "http://*.localhost", image: "example/runtime",
  slots: 1, slot: { cpu: 0.5, memoryGb: 2, diskGb: 10 }, ping: "off",
});
new stackyard.RayCluster("main", {
  cluster, mode: "static", namespace: "upgrade-main", createNamespace: true, pool: "", reservedCpu: 0, env: { VERSION: version },
  ...${JSON.stringify(ray)},
});
new ManifestSet("set", {
  kubeconfig: config.requireSecret("kubeconfig"), cluster: "https://yard", name: "upgrade-set", namespace: "default",
  objects: [{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "upgrade-set" }, data: { version } }],
});
new stackyard.Bundle("part", {
  cluster, namespace: "upgrade-part", createNamespace: true,
  versions: { "1.0.0": { sources: [{ type: "local", path: "part" }] } },
});
module.exports = platform;
`;

/** What keeps a Ray cluster as 0.1.0 creates it. */
const KEPT = { rayVersion: "2.56.0", auth: { enabled: false } };

/** A Ray cluster by classes that only 0.1.0 has, with a decoded config. */
const GONE = `
const pulumi = require("@pulumi/pulumi");
const { Cluster, decodeConfig, Ray } = require("stackyard");
const kubeconfig = new pulumi.Config("team").requireSecret("kubeconfig");
const config = decodeConfig({
  cluster: { type: "existing", kubeconfig: { inCluster: true } },
  ray: { gone: { mode: "static", namespace: "upgrade-gone", createNamespace: true, pool: "", reservedCpu: 0 } },
});
const cluster = new Cluster("cluster", { existing: { server: "https://yard", kubeconfig } });
new Ray("ray", { cluster, charts: { archives: {} }, clusters: config.ray, operator: config.rayOperator });
`;

/** The same cluster as a component. */
const INSTEAD = `
const pulumi = require("@pulumi/pulumi");
const { RayCluster } = require("stackyard");
const cluster = { kubeconfig: { content: new pulumi.Config("team").requireSecret("kubeconfig") } };
new RayCluster("gone", { cluster, mode: "static", namespace: "upgrade-gone", createNamespace: true, pool: "", reservedCpu: 0 });
`;

describe("an upgrade from the last release", function () {
  this.timeout(600_000); // It builds the packages of two releases.
  const base = mkdtempSync(path.join(tmpdir(), "stackyard-upgrade-"));
  let project: Project | undefined;
  after(async () => {
    await project?.remove();
    rmSync(base, { recursive: true, force: true });
  });

  const installed = (): Project => project ?? assert.fail("the last release was not installed");
  /** Installs both packages and the SDK, built from a checkout, as `npm install` replaces them. */
  async function install(root: string): Promise<void> {
    const { folder } = installed();
    rmSync(path.join(folder, "node_modules"), { recursive: true, force: true });
    const { buildPackage } = (await import(path.join(root, "toolchain/release/package.ts"))) as typeof packages;
    const { buildCommandLine } = (await import(
      path.join(root, "toolchain/release/commandLine.ts")
    )) as typeof commandLine;
    await newProject(folder, "stackyard", (own) => buildPackage(root, own));
    const command = path.join(folder, "node_modules", "stackyard-cli");
    mkdirSync(command);
    await buildCommandLine(root, command);
    await writeNodeSdk(path.join(root, "provider", "package.schema.json"), path.join(folder, "sdk"));
  }
  const stackyard = (...args: string[]): Promise<string> =>
    installed().must(path.join(installed().folder, "node_modules/stackyard-cli/bin/stackyard"), ...args);
  const verb = async (name: string, ...more: string[]): Promise<string> => {
    const { code, text } = await installed().verb(name, ...more);
    assert.equal(code, 0, text);
    return text;
  };
  const set = (key: string, value: string, ...more: string[]): Promise<string> =>
    installed().must("pulumi", "config", "set", "-s", "here", `team:${key}`, value, ...more);
  const content = (text: string): void => {
    for (const name of ["shop", "part"]) {
      bundleFolder(installed().folder, name, {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name },
        data: { text },
      });
    }
  };

  it("begins with a platform, runtimes and components of that release", async function () {
    const release = lastRelease(path.join(base, "release"));
    if ("missing" in release) {
      console.log(`      skipped: ${release.missing}`);
      return this.skip();
    }
    project = new Project(await testYard());
    await install(release.folder);
    const { folder, place } = project;
    content("one");
    writeFileSync(path.join(folder, "index.js"), 'module.exports = require("stackyard").platform;\n');
    await project.platform({
      cluster: { type: "existing", kubeconfig: { path: place.kubeconfig } },
      defaultProvisioner: "own",
      provisioners: {
        own: kubernetesProvisioner("upgrade-runtimes"),
        pool: { type: "static", spec: { runtimes: [{ host: "http://pool.localhost", slots: 4 }] } },
      },
      ray: { own: { mode: "static", createNamespace: true, namespace: "upgrade-ray", pool: "", reservedCpu: 0 } },
      bundles: { shop: { versions: { "1.0.0": { sources: [{ type: "local", path: "shop" }] } } } },
      instances: { shop: { bundle: "shop", namespace: "upgrade-shop", createNamespace: true } },
    });
    await set("kubeconfig", readFileSync(place.kubeconfig, "utf8"), "--secret");
    await set("version", "1.0.0");
    await project.must("pulumi", "stack", "init", "gone", "--no-select");
    const kubeconfig = ["team:kubeconfig", readFileSync(place.kubeconfig, "utf8")];
    await project.must("pulumi", "config", "set", "-s", "gone", "--secret", ...kubeconfig);
    writeFileSync(path.join(folder, "index.js"), GONE);
    await project.must("pulumi", "up", "-s", "gone", "--yes", "--skip-preview");
    writeFileSync(path.join(folder, "index.js"), program());
    await verb("up");
    await stackyard("runtime", "up", "kept", "--version", "1", "--slots", "1");
    await stackyard("runtime", "up", "pooled", "--version", "1", "--slots", "1", "--provisioner", "pool");
  });

  it("changes only recorded arguments and policies of Ray's namespaces if its clusters keep their settings", async function () {
    if (project === undefined) return this.skip();
    await install(projectRoot());
    writeFileSync(path.join(project.folder, "index.js"), program(KEPT));
    for (const [key, value] of [
      ["rayVersion", KEPT.rayVersion],
      ["auth.enabled", "false"],
    ] as const) {
      await project.must("pulumi", "config", "set", "-s", "here", "--path", `stackyard:ray.own.${key}`, value);
    }
    const said = await verb("preview");
    assert.doesNotMatch(said, / (create|delete|replace)\b/);
    const updates = [...said.matchAll(/^ ~ +stackyard:index:(\S+ \S+) update/gm)].map(([, name]) => name);
    // Their SDK made the whole argument secret, and the namespaces of Ray were open to others.
    const namespaces = ["ManifestSet main-ray-namespace-upgrade-main", "ManifestSet ray-namespace-upgrade-ray"];
    assert.deepEqual(updates.sort(), ["Bundle part", "KubernetesRuntime own", ...namespaces, "RayCluster main"]);
    await verb("up");
    await verb("preview", "--expect-no-changes");
    for (const id of ["kept", "pooled"]) {
      const { code, stdout, stderr } = await project.pulumi("preview", "-s", id, "--expect-no-changes");
      assert.equal(code, 0, stdout + stderr);
    }
    assert.doesNotMatch(await stackyard("runtime", "list", "--json"), /"outdated": true/);
  });

  it("lets a component take over what a class made that is gone", async function () {
    if (project === undefined) return this.skip();
    const { folder, place } = project;
    const world = new World(place);
    const uid = async (): Promise<string> =>
      (await world.get("-n", "upgrade-gone", "deployment", "gone-ray-head")).metadata.uid;
    const before = await uid();
    writeFileSync(path.join(folder, "index.js"), INSTEAD);
    const { code, stdout } = await project.hand("preview", "-s", "gone");
    assert.notEqual(code, 0);
    const command = "stackyard adopt upgrade-gone/ray-gone --stack gone";
    assert.ok(stdout.includes(command), stdout);
    await stackyard(...command.split(" ").slice(1), "--yes");
    await project.must("pulumi", "up", "-s", "gone", "--yes", "--skip-preview");
    await project.must("pulumi", "preview", "-s", "gone", "--expect-no-changes");
    assert.equal(await uid(), before);
    await project.must("pulumi", "destroy", "-s", "gone", "--yes", "--skip-preview");
    world.remove();
    writeFileSync(path.join(folder, "index.js"), program(KEPT));
  });

  it("can change and destroy everything in place", async function () {
    if (project === undefined) return this.skip();
    content("two");
    await set("version", "1.1.0");
    const said = await verb("up");
    assert.doesNotMatch(said, / (replaced|deleted|created)\b/);
    for (const name of ["own-runtime-objects", "main-ray-main-objects", "part-bundles-part-release", "set"])
      assert.match(said, new RegExp(` ${name} updated`));
    await stackyard("runtime", "up", "kept", "--version", "2");
    await verb("preview", "--expect-no-changes");
    for (const id of ["kept", "pooled"]) await stackyard("runtime", "destroy", id, "--yes");
    await verb("destroy");
    assert.doesNotMatch(await project.must("pulumi", "stack", "export", "-s", "here"), /stackyard:index/);
  });
});
