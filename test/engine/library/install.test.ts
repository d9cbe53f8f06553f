import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { dependencies, engines, version } from "../../../package.json";
import { writeCommandLine, writePackage } from "../../../toolchain/release/package";
import { projectRoot } from "../../../toolchain/root";
import { NpmRegistry } from "../../doubles/npmRegistry";
import { KUBECONFIG } from "../../unit/config/fixtures";

const run = promisify(execFile);

/** The newest Node.js that was tried. The oldest one is that of `engines`. */
const NEWEST_NODE = "26.12.1";

/** The versions of Pulumi's packages at both ends of the ranges. */
const ENDS = {
  oldest: {
    "@pulumi/pulumi": dependencies["@pulumi/pulumi"],
    "@pulumi/kubernetes": dependencies["@pulumi/kubernetes"],
  },
  newest: { "@pulumi/pulumi": "^3", "@pulumi/kubernetes": "^4" },
};

/** The same of the packages for what is on AWS. */
const AWS_ENDS = {
  oldest: { "@pulumi/aws": dependencies["@pulumi/aws"], "@pulumi/eks": dependencies["@pulumi/eks"] },
  newest: { "@pulumi/aws": "^7", "@pulumi/eks": "^4" },
};

/** Files belong to whoever installs; programs run as another user, if this one may change to it. */
const OTHER = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

const MOCKS = `
const pulumi = require("@pulumi/pulumi");
pulumi.runtime.setMocks({
  newResource: ({ type, name, inputs }) => {
    console.log(type + " " + name);
    return { id: name + "-id", state: { ...inputs, inventory: [], clusterUid: "u", identifier: "i" } };
  },
  call: ({ token }) => (token === "stackyard:index:renderChart" ? { objects: [] } : {}),
}, "own", "here", false);
const { Cluster, DataAccess, decodeConfig, Ray } = require("stackyard");
const cluster = new Cluster("cluster", { existing: { server: "https://10.0.0.1:6443", kubeconfig: "kind: Config" } });
`;

const PROGRAM = `${MOCKS}
const config = decodeConfig({
  cluster: { type: "existing", kubeconfig: { path: "kubeconfig.yaml" }, context: "other" },
  ray: { main: { mode: "static", createNamespace: true } },
});
const charts = { archives: {} };
const ray = new Ray("ray", { cluster, charts, clusters: config.ray, operator: config.rayOperator });
console.log(process.versions.node, ray instanceof pulumi.ComponentResource);
`;

const WITHOUT_AWS = `${MOCKS.replace("console.log", "")}
try {
  new DataAccess("data", { cluster, rolePrefix: "x", identity: "irsa", entries: {} });
} catch (error) {
  console.log(error.message);
}
`;

const WITH_AWS = `${MOCKS}
const { Cluster: Made } = require("@pulumi/eks");
const { fromPulumiEks } = require("stackyard");
const reader = {
  serviceAccounts: { default: ["reader"] },
  accounts: "none",
  createNamespaces: false,
  buckets: [],
  managedPolicies: { read: "arn:aws:iam::aws:policy/ReadOnlyAccess" },
};
const on = { name: "acme", access: cluster };
new DataAccess("data", { cluster: on, rolePrefix: "x", identity: "podIdentity", entries: { reader } });
console.log(typeof Made, typeof fromPulumiEks);
`;

describe("the packages in a registry", function () {
  this.timeout(600_000);
  const base = mkdtempSync(path.join(tmpdir(), "stackyard-install-"));
  let registry: NpmRegistry;
  const nodes: Record<string, string> = {};

  const npm = async (folder: string, ...args: string[]): Promise<string> =>
    (await run("npm", args, { cwd: folder, env: { ...process.env, npm_config_userconfig: path.join(base, ".npmrc") } }))
      .stdout;
  /** A program of a team, with what it installed. */
  async function project(name: string, wanted: object, ...args: string[]): Promise<string> {
    const folder = path.join(base, name);
    mkdirSync(folder);
    writeFileSync(path.join(folder, "package.json"), JSON.stringify({ private: true, dependencies: wanted }));
    await npm(folder, "install", "--ignore-scripts", "--prefer-offline", ...args);
    return folder;
  }
  /** Runs a program as another user, which may only read. */
  const other = (node: string, folder: string, ...args: string[]) =>
    run(nodes[node] ?? "", args, {
      cwd: folder,
      env: { PATH: process.env["PATH"], HOME: "/nonexistent" },
      ...OTHER,
    }).catch(
      // Without the lines of the package that Node.js shows of an uncaught error.
      (error: { stderr: string }) => assert.fail(error.stderr.slice(-2_000)),
    );

  before(async () => {
    chmodSync(base, 0o755);
    const upstream = await run("npm", ["config", "get", "registry"], { cwd: projectRoot() });
    registry = await NpmRegistry.start(upstream.stdout.trim());
    writeFileSync(path.join(base, ".npmrc"), registry.settings);
    for (const [end, node] of Object.entries({ oldest: `${engines.node.replace(">=", "")}.0`, newest: NEWEST_NODE })) {
      const name = `node-${process.platform}-${process.arch}`;
      await npm(base, "pack", `${name}@${node}`, "--ignore-scripts");
      mkdirSync(path.join(base, end));
      await run("tar", ["-xzf", `${name}-${node}.tgz`, "-C", end, "--strip-components=2", "package/bin/node"], {
        cwd: base,
      });
      nodes[end] = path.join(base, end, "node");
    }
    for (const file of [await writePackage(projectRoot(), base), await writeCommandLine(projectRoot(), base)]) {
      await npm(base, "publish", file, "--dry-run");
      await npm(base, "publish", file);
    }
  });
  after(() => {
    registry.stop();
    rmSync(base, { recursive: true, force: true });
  });

  it("add at most 40 MB, and no other package than two small ones, to a program", async () => {
    const folder = await project("alone", { stackyard: `^${version}` }, "--legacy-peer-deps");
    const { packages } = JSON.parse(readFileSync(path.join(folder, "node_modules/.package-lock.json"), "utf8")) as {
      packages: Record<string, object>;
    };
    assert.deepEqual(Object.keys(packages), [
      "node_modules/google-protobuf",
      "node_modules/stackyard",
      "node_modules/zod",
    ]);
    const bytes = globSync("**/*", { cwd: folder }).reduce(
      (sum, file) => sum + statSync(path.join(folder, file)).size,
      0,
    );
    assert.ok(bytes < 40e6, `${bytes} bytes`);
  });

  for (const [end, versions] of Object.entries(ENDS)) {
    it(`run with the ${end} packages of Pulumi, on the oldest and the newest Node.js, where nothing can be written`, async () => {
      const folder = await project(`with-${end}`, { stackyard: `^${version}`, ...versions });
      writeFileSync(path.join(folder, "kubeconfig.yaml"), KUBECONFIG);
      writeFileSync(path.join(folder, "program.cjs"), PROGRAM);
      writeFileSync(path.join(folder, "without.cjs"), WITHOUT_AWS);
      await run("chmod", ["-R", "a-w,a+rX", folder]);
      for (const node of ["oldest", "newest"]) {
        const { stdout } = await other(node, folder, "program.cjs");
        assert.match(stdout, /^stackyard:index:RayCluster ray-main$/m);
        assert.match(stdout, /^\d+\.\d+\.\d+ true$/m);
        const { stdout: refusal } = await other(node, folder, "without.cjs");
        assert.equal(refusal, "stackyard needs @pulumi/aws for this; install it with: npm install @pulumi/aws\n");
      }
    });
  }

  for (const [end, versions] of Object.entries(AWS_ENDS)) {
    it(`create what is on AWS with the ${end} packages of Pulumi for it`, async () => {
      const wanted = { stackyard: `^${version}`, ...ENDS.newest, ...versions };
      const folder = await project(`aws-${end}`, wanted);
      writeFileSync(path.join(folder, "program.cjs"), WITH_AWS);
      await run("chmod", ["-R", "a+rX", folder]);
      const { stdout } = await other("newest", folder, "program.cjs");
      assert.match(stdout, /^function function$/m);
      assert.match(stdout, /^aws:eks\/podIdentityAssociation:PodIdentityAssociation data\/reader-/m);
    });
  }

  it("start a repository with npx, and are its command line", async () => {
    writeFileSync(path.join(base, "kube.yaml"), KUBECONFIG);
    const flags = ["--kubeconfig", "kube.yaml", "--context", "main", "--features", "none"];
    await npm(base, "exec", "--yes", "--", "stackyard", "new", "platform", ...flags);
    const folder = path.join(base, "platform");
    await npm(folder, "install", "--ignore-scripts", "--prefer-offline");
    mkdirSync(path.join(folder, "below"));
    await run("chmod", ["-R", "a-w,a+rX", folder]);
    const command = path.join(folder, "node_modules", "stackyard", "bin", "stackyard");
    for (const node of ["oldest", "newest"]) {
      assert.equal((await other(node, path.join(folder, "below"), command, "--version")).stdout, `${version}\n`);
    }
  });
});
