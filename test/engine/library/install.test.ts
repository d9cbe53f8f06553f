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

/** Files belong to whoever installs; programs run as another user, if this one may change to it. */
const OTHER = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

const PROGRAM = `
const pulumi = require("@pulumi/pulumi");
const ANSWERS = {
  "stackyard:index:readNodes": { nodes: [] },
  "stackyard:index:renderChart": { objects: [] },
  "pulumi:pulumi:readStackResourceOutputs": { outputs: {} },
  "aws:eks/getCluster:getCluster": { name: "acme", arn: "arn:acme", identities: [], vpcConfig: { vpcId: "vpc-0a" } },
};
pulumi.runtime.setMocks({
  newResource: ({ type, name, inputs }) => {
    console.log(type + " " + name);
    return { id: name + "-id", state: { ...inputs, inventory: [], clusterUid: "u", identifier: "i" } };
  },
  call: ({ token }) => {
    if (token === "aws:iam/getRole:getRole") throw new Error("NoSuchEntity");
    return ANSWERS[token] ?? {};
  },
}, "stackyard", "here", false, "organization");
const { platform, RayCluster } = require("stackyard");
const own = new RayCluster("own", { cluster: { kubeconfig: { content: "kind: Config" } }, mode: "static" });
console.log(process.versions.node, own instanceof pulumi.ComponentResource);
const [onEks] = process.argv.slice(2);
const values = {
  cluster: {
    type: "existing",
    kubeconfig: { path: "kubeconfig.yaml" },
    context: "other",
    ...(onEks && { eks: { name: "acme", region: "eu-central-1", identity: "podIdentity" } }),
  },
  ray: { main: { mode: "static", createNamespace: true, pool: "" } },
  ...(onEks && { dataAccess: { reader: { serviceAccounts: { default: ["reader"] }, accounts: "none",
    buckets: [{ bucket: "acme-data", access: "read" }] } } }),
};
const all = Object.entries(values).map(([key, value]) => ["stackyard:" + key, JSON.stringify(value)]);
pulumi.runtime.setAllConfig(Object.fromEntries(all));
platform().catch((error) => console.log(error.message));
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

  it("add at most 40 MB, and no other package than a small one, to a program", async () => {
    const folder = await project("alone", { stackyard: `^${version}` }, "--legacy-peer-deps");
    const { packages } = JSON.parse(readFileSync(path.join(folder, "node_modules/.package-lock.json"), "utf8")) as {
      packages: Record<string, object>;
    };
    assert.deepEqual(Object.keys(packages), ["node_modules/google-protobuf", "node_modules/stackyard"]);
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
      await run("chmod", ["-R", "a-w,a+rX", folder]);
      for (const node of ["oldest", "newest"]) {
        const { stdout } = await other(node, folder, "program.cjs");
        assert.match(stdout, /^stackyard:index:RayCluster own$/m);
        assert.match(stdout, /^stackyard:index:RayCluster ray-main$/m);
        assert.match(stdout, /^\d+\.\d+\.\d+ true$/m);
        const { stdout: refusal } = await other(node, folder, "program.cjs", "onEks");
        assert.match(refusal, /^stackyard needs @pulumi\/aws for this; install it with: npm install @pulumi\/aws$/m);
      }
    });
  }

  for (const [end, aws] of Object.entries({ oldest: dependencies["@pulumi/aws"], newest: "^7" })) {
    it(`create what is on AWS with the ${end} package of Pulumi for it`, async () => {
      const wanted = { stackyard: `^${version}`, ...ENDS.newest, "@pulumi/aws": aws };
      const folder = await project(`aws-${end}`, wanted);
      writeFileSync(path.join(folder, "kubeconfig.yaml"), KUBECONFIG);
      writeFileSync(path.join(folder, "program.cjs"), PROGRAM);
      await run("chmod", ["-R", "a+rX", folder]);
      const { stdout } = await other("newest", folder, "program.cjs", "onEks");
      assert.match(stdout, /^aws:eks\/podIdentityAssociation:PodIdentityAssociation \S*reader/m);
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
