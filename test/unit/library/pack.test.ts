import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { extract } from "tar";
import * as library from "../../../library";
import { publishedSchema, writePackage } from "../../../toolchain/release/package";

const ROOT = path.join(__dirname, "..", "..", "..");
const run = promisify(execFile);

/** The beginning of a program that uses the package, on Pulumi's mocks; what is registered is in `made`. */
const MOCKS = `
const pulumi = require("@pulumi/pulumi");
const made = [];
pulumi.runtime.setMocks({
  newResource: ({ type, name, inputs }) => {
    made.push(type + " " + name);
    return { id: name + "-id", state: { ...inputs, inventory: [], clusterUid: "u", identifier: "i" } };
  },
  call: ({ token }) => (token === "stackyard:index:renderChart" ? { objects: [] } : {}),
}, "own", "here", false);
const stackyard = require("stackyard");
const kubeconfig = "apiVersion: v1\\nkind: Config\\n";
const cluster = () => new stackyard.Cluster("cluster", { existing: { server: "https://10.0.0.1:6443", kubeconfig } });
`;

const KUBECONFIG = `
apiVersion: v1
kind: Config
clusters: [{ name: c, cluster: { server: "https://10.0.0.1:6443" } }]
contexts: [{ name: c, context: { cluster: c, user: u } }]
users: [{ name: u, user: { token: t } }]
current-context: c
`;

describe("the package in another program", function () {
  this.timeout(300_000);
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-library-"));
  const installed = path.join(folder, "node_modules", "stackyard");
  const write = (name: string, text: string): string => {
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const node = async (text: string, name = "program.cjs"): Promise<string> => {
    // Without the lines of the package that node shows of an uncaught error.
    const { stdout } = await run(process.execPath, [write(name, text)], { cwd: folder }).catch(
      ({ stderr = "" }: { stderr?: string }) => assert.fail(stderr.slice(-2_000)),
    );
    return stdout;
  };
  /** What a program says whose components get these arguments. */
  const refused = async (call: string): Promise<string> =>
    node(`${MOCKS}try { ${call}; console.log("accepted"); } catch (error) { console.log(error.message); }`);

  before(async () => {
    mkdirSync(installed, { recursive: true });
    await extract({ file: await writePackage(ROOT, folder), cwd: installed, strip: 1 });
    // Only what the package asks for, and what a TypeScript program has.
    const { dependencies, peerDependencies } = JSON.parse(
      readFileSync(path.join(installed, "package.json"), "utf8"),
    ) as {
      readonly [kind: string]: Readonly<Record<string, string>>;
    };
    for (const name of Object.keys({ ...dependencies, ...peerDependencies, "@types/node": "" })) {
      const link = path.join(folder, "node_modules", name);
      mkdirSync(path.dirname(link), { recursive: true });
      symlinkSync(path.join(ROOT, "node_modules", name), link);
    }
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("exports components and resources, and runs no program", async () => {
    const names = JSON.parse(await node('console.log(JSON.stringify(Object.keys(require("stackyard"))))')) as string[];
    assert.deepEqual(names.sort(), Object.keys(library).sort());
    assert.ok(names.includes("Ray") && names.includes("Bundles") && names.includes("ManifestSet"));
  });

  it("has the built programs and the charts, without sources and tests, in a few megabytes", () => {
    const files = globSync("**/*", { cwd: installed }).filter((name) => statSync(path.join(installed, name)).isFile());
    const others = files.filter((name) => !/^(types\/.*\.d\.ts|charts\/.*)$/.test(name)).sort();
    assert.deepEqual(others, [
      "LICENSE",
      "LICENSES-BUNDLED.txt",
      "README.md",
      "bin/stackyard",
      "index.cjs",
      "index.mjs",
      "library.cjs",
      "nodeVersion.cjs",
      "package.json",
      "provider/components.cjs",
      "provider/package.schema.json",
      "provider/provider.cjs",
      "provider/pulumi-resource-",
      "provider/pulumi-resource-stackyard",
    ]);
    const bytes = files.reduce((sum, name) => sum + statSync(path.join(installed, name)).size, 0);
    assert.ok(bytes < 15e6, `${bytes} bytes`);
    assert.match(
      readFileSync(path.join(installed, "LICENSES-BUNDLED.txt"), "utf8"),
      /^zod \S+ \(MIT\)\n\nMIT License$/m,
    );
  });

  it("compiles nothing, writes nothing, and changes no variable of the program", async () => {
    const listed = () =>
      globSync("**/*", { cwd: installed }).map((name) => `${name} ${statSync(path.join(installed, name)).mtimeMs}`);
    const before = listed();
    const text = `require("@pulumi/pulumi"); const before = JSON.stringify(process.env); require("stackyard");
      console.log(before === JSON.stringify(process.env), Object.keys(require.cache).some((file) => /esbuild|tsx/.test(file)));`;
    assert.equal(await node(text), "true false\n");
    assert.deepEqual(listed(), before);
  });

  it("names in its schema where a release of its repository has executables", () => {
    const text = '{"name":"stackyard"}';
    assert.equal(publishedSchema(text), text);
    assert.deepEqual(JSON.parse(publishedSchema(text, { url: "git+https://github.com/acme/data.git" })), {
      name: "stackyard",
      repository: "https://github.com/acme/data",
      pluginDownloadURL: "github://api.github.com/acme/data",
    });
  });

  it("names the Node.js that it requires on an older one", async () => {
    const args = ["--require", path.join(__dirname, "../../fixtures/oldNode.cjs")];
    const line = /(?:^|Error: )(\S[^\n]*) needs Node\.js 22\.15 or newer; this is 20\.1\.0 \(\S+\)\]?\n/;
    for (const entry of ["index.cjs", "index.mjs", "bin/stackyard", "provider/pulumi-resource-stackyard"]) {
      const started = run(process.execPath, [...args, path.join(installed, entry)], { cwd: folder });
      await assert.rejects(started, ({ stderr }: { stderr: string }) => line.test(stderr) && !/^ +at /m.test(stderr));
    }
  });

  it("exports the same names to ES modules", async () => {
    const text = 'import * as all from "stackyard"; console.log(JSON.stringify(Object.keys(all)));';
    assert.deepEqual((JSON.parse(await node(text, "program.mjs")) as string[]).sort(), Object.keys(library).sort());
  });

  it("creates Ray clusters and bundles from a config object", async () => {
    mkdirSync(path.join(folder, "shop", "manifests"), { recursive: true });
    write("kubeconfig.yaml", KUBECONFIG);
    write("shop/manifests/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: shop\n");
    const program = `${MOCKS}
      const config = stackyard.decodeConfig({
        cluster: { type: "existing", kubeconfig: { path: "kubeconfig.yaml" } },
        ray: { main: { mode: "static", createNamespace: true } },
        bundles: { shop: { versions: { "1.0.0": { sources: [{ type: "local", path: "shop" }] } } } },
        instances: { shop: { bundle: "shop", createNamespace: true } },
      });
      const on = cluster();
      new stackyard.Ray("ray", { cluster: on, charts: { archives: {} }, clusters: config.ray, operator: config.rayOperator });
      new stackyard.Bundles("bundles", { cluster: on, instances: config.bundles });
      setTimeout(() => console.log(made.join("\\n")), 1000);`;
    const text = await node(program);
    assert.match(text, /^stackyard:index:Ray ray$/m);
    assert.match(text, /^stackyard:index:RayCluster ray-main$/m);
    assert.match(text, /^stackyard:index:BundleRelease bundles-shop-release$/m);
  });

  it("reports every fault of a config as the platform does", async () => {
    const text = await refused('stackyard.decodeConfig({ ray: { main: { mod: "static" } }, rai: {} })');
    assert.match(text, /stackyard:ray\.main\.mod: found an unknown key; .*; did you mean mode$/m);
    assert.match(text, /stackyard:rai: found an unknown key; .*; did you mean ray$/m);
  });

  it("rejects unchecked arguments by name", async () => {
    const charts = "charts: { archives: {} }";
    const cases = [
      ['new stackyard.Ray("ray")', "Ray: found nothing; expected an object with cluster, charts, clusters, operator"],
      ['new stackyard.Ray("ray", {})', "Ray: cluster: found nothing; expected a Cluster"],
      [
        `new stackyard.Ray("ray", { cluster: cluster(), ${charts}, clusters: { main: { mode: "static" } }, operator: {} })`,
        "Ray: clusters: found values that decodeConfig did not check; expected ray of what decodeConfig returns",
      ],
      [
        `new stackyard.JupyterHub("hub", { cluster: cluster(), ${charts} })`,
        "JupyterHub: settings: found nothing; expected jupyterhub of what decodeConfig returns",
      ],
      [
        'new stackyard.Bundles("bundles", { cluster: cluster(), instances: [{ name: "shop" }] })',
        "Bundles: instances: found values that decodeConfig did not check; expected bundles of what decodeConfig returns",
      ],
      [
        'new stackyard.DataAccess("data", { cluster: {}, rolePrefix: "x", identity: "irsa", entries: { a: { buckets: [] } } })',
        "DataAccess: entries: found no a.serviceAccounts, a.accounts, a.createNamespaces, a.managedPolicies; expected an object of objects with serviceAccounts, accounts, createNamespaces, buckets, managedPolicies",
      ],
      [
        'new stackyard.Cluster("cluster", { existing: null })',
        "Cluster: existing: found nothing; expected an object with server, kubeconfig, context",
      ],
    ] as const;
    const text = await node(
      `${MOCKS}for (const call of [${cases.map(([call]) => `() => ${call}`).join(", ")}])
        try { call(); console.log("accepted"); } catch (error) { console.log(error.message); }`,
    );
    assert.deepEqual(
      text.trimEnd().split("\n"),
      cases.map(([, message]) => message),
    );
  });

  it("has types that a strict compiler accepts and enforces", async () => {
    const options = { module: "nodenext", target: "es2023", strict: true, skipLibCheck: true, noEmit: true };
    write("tsconfig.json", JSON.stringify({ compilerOptions: { ...options, types: ["node"] }, files: ["typed.cts"] }));
    write(
      "typed.cts",
      `import { Cluster, decodeConfig, Ray } from "stackyard";
       const config = decodeConfig({});
       const cluster: Cluster = new Cluster("c", { existing: { server: "https://10.0.0.1" } });
       const ray: Ray = new Ray("ray", { cluster, charts: { archives: {} }, clusters: config.ray ?? {}, operator: config.rayOperator });
       ray.endpoints;
       // @ts-expect-error There is no such argument.
       new Ray("ray", { clutser: cluster });`,
    );
    const tsc = path.join(ROOT, "node_modules", "typescript", "bin", "tsc");
    await run(process.execPath, [tsc, "--project", folder]).catch((error: { stdout?: string }) =>
      assert.fail(error.stdout),
    );
  });
});
