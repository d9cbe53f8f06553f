import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import * as path from "node:path";
import fc from "fast-check";
import { affectedBy, deletedStacks, importsOf, provisionedBy } from "../../../cli/delivery/affected";
import type { Imports } from "../../../foundation/reachedFrom";
import { FEATURES, PROGRAMS, READ } from "../../../cli/delivery/affected/parts";
import { platformShape } from "../../../components/platform/config/schema";
import type { DescribedStack } from "../../../cli/project/stacks";

const root = path.join(__dirname, "../../..");
const stack = (id: string, config: Record<string, unknown> = {}): DescribedStack => {
  const [project, name] = id.split("/") as [DescribedStack["project"], string];
  return { id, project, name, file: `${project === "stackyard" ? "" : "runtime/"}Pulumi.${name}.yaml`, config };
};
const provisioners = { a: { spec: { namespace: "docs", templates: { service: "./own/s.tmpl" } } }, b: {} };
const dev = stack("stackyard/dev", {
  ray: {},
  provisioners,
  defaultProvisioner: "a",
  environments: { prod: { provisioner: "b" } },
  bundles: { x: { versions: { one: { source: { type: "local", path: "manifests" } } } } },
});
const prod = stack("stackyard/prod", { cluster: { type: "eks" }, jupyterhub: {}, clusterAutoscaler: {} });
const acme = stack("stackyard-runtime/acme", { platform: "organization/stackyard/dev", deployment: {} });
const ALL = [dev, prod, acme];

describe("the stacks that a change affects", function () {
  this.timeout(20_000);
  let imports: Imports;
  before(async () => {
    imports = await importsOf(
      root,
      PROGRAMS.map(({ entry }) => entry),
    );
  });
  const affected = (...files: string[]): string[] => affectedBy(files, ALL, imports).map(({ stack: { id } }) => id);

  const cases: [string, string[], DescribedStack[]][] = [
    [
      "none by files that belong to no program",
      ["docs/ray.md", "README.md", "test/x.ts", "bench/run.ts", "Makefile"],
      [],
    ],
    ["none by code that no program runs", ["cli/main.ts", "components/platform/reference/generate.ts"], []],
    ["one by its own file", ["Pulumi.prod.yaml"], [prod]],
    ["one by its own file, in runtime", ["runtime/Pulumi.acme.yaml"], [acme]],
    ["one by a file that its config names", ["own/s.tmpl"], [dev]],
    ["one by a file in a folder of manifests, however deep", ["manifests/a.yaml", "manifests/deep/er/b.yaml"], [dev]],
    ["none by a folder with the name of a namespace", ["docs/index.md"], []],
    [
      "those that have Ray by its component and its chart",
      ["components/ray/rayCluster.ts", "components/ray/config/checks.ts", "charts/ray-static-cluster/x"],
      [dev],
    ],
    ["those that have JupyterHub by its component", ["components/jupyterhub/jupyterHub.ts"], [prod]],
    ["none without Teraslice by the resource of its jobs", ["provider/resources/terasliceJob/terasliceJob.ts"], []],
    ["all by the resource that applies charts and bundles", ["provider/resources/bundleRelease/bundleRelease.ts"], ALL],
    ["those on EKS by its network", ["components/eks/network/vpc.ts"], [prod]],
    ["those on EKS by the versions of its add-ons", ["eks.lock.yaml"], [prod]],
    ["none without Karpenter by its component", ["components/karpenter/permissions.ts"], []],
    ["those with the autoscaler by its component", ["components/clusterAutoscaler/clusterAutoscaler.ts"], [prod]],
    ["all platforms by the program", ["index.ts", "components/platform/config/decode.ts"], [dev, prod]],
    ["all platforms by components that they share", ["components/cluster/cluster.ts"], [dev, prod]],
    [
      "all runtimes by their program and chart",
      ["runtime/program.ts", "runtime/entry.js", "charts/runtime/templates/x.yaml"],
      [acme],
    ],
    ["all by the provider and the packages", ["provider/main.ts", "package-lock.json"], [dev, prod, acme]],
    ["all by components that platforms and runtimes share", ["components/resources/manifestSet.ts"], [dev, prod, acme]],
    ["all by the loader of the programs", ["foundation/loader/program.js"], [dev, prod, acme]],
    ["all by the policies", ["policy/rules/protection.ts"], [dev, prod, acme]],
    ["all platforms by the project file", ["Pulumi.yaml"], [dev, prod]],
  ];
  for (const [what, files, expected] of cases) {
    it(`are ${what}`, () => {
      const ids = expected.map(({ id }) => id);
      for (const file of files) assert.deepEqual(affected(file), ids, file);
    });
  }

  it("are listed with the files that affect them", () => {
    const [first] = affectedBy(["Pulumi.dev.yaml", "docs/x.md", "components/ray/ray.ts"], ALL, imports);
    assert.deepEqual(first?.files, ["Pulumi.dev.yaml", "components/ray/ray.ts"]);
  });

  it("are those of all files together", () => {
    const files = ["index.ts", "Pulumi.prod.yaml", "runtime/x.ts", "docs/a.md", "components/ray/ray.ts", "own/s.tmpl"];
    fc.assert(
      fc.property(fc.subarray(files), (some) => {
        const each = new Set(some.flatMap((file) => affected(file)));
        assert.deepEqual(new Set(affected(...some)), each);
      }),
    );
  });

  it("depend only on entries that exist and that a program imports", () => {
    for (const entry of FEATURES.flatMap(({ entries }) => entries)) {
      assert.ok(imports.has(entry), entry);
      assert.ok(
        [...imports.values()].some((imported) => imported.includes(entry)),
        entry,
      );
    }
  });

  it("depend only on files that exist, or that commands create", () => {
    const tracked = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n");
    const files = [...tracked, "eks.lock.yaml"];
    for (const [pattern] of READ) {
      assert.ok(
        files.some((file) => pattern.test(file)),
        String(pattern),
      );
    }
  });

  it("exist for every folder of components with code", () => {
    const all = Object.fromEntries(Object.keys(platformShape).map((key) => [key, {}]));
    const cluster = { type: "eks", nodes: "karpenter" };
    const everything = stack("stackyard/all", { ...all, ...dev.config, ...prod.config, cluster });
    const folders = readdirSync(path.join(root, "components"), { withFileTypes: true });
    for (const folder of folders.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))) {
      const files = [...imports.keys()].filter((file) => file.startsWith(`components/${folder}/`));
      assert.ok(affectedBy(files, [everything, acme], imports).length > 0, folder);
    }
  });

  it("exist for every chart of the checkout", () => {
    const everything = stack("stackyard/all", { ...dev.config, ...prod.config, service: {}, ray: {} });
    for (const chart of readdirSync(path.join(root, "charts"))) {
      const found = affectedBy([`charts/${chart}/templates/x.yaml`], [everything, acme], imports);
      assert.ok(found.length > 0, chart);
    }
  });

  it("include stacks whose file is deleted", () => {
    const files = [
      "Pulumi.gone.yaml",
      "runtime/Pulumi.left.yaml",
      "Pulumi.yaml",
      "docs/Pulumi.x.yaml",
      "Pulumi.dev.yaml",
    ];
    const found = deletedStacks(files, ALL);
    assert.deepEqual(
      found.map(({ stack: { id, isDeleted } }) => [id, isDeleted]),
      [
        ["stackyard/gone", true],
        ["stackyard-runtime/left", true],
      ],
    );
  });
});

describe("the runtime stacks that a change of a platform affects", () => {
  const before = (config: Record<string, unknown>) => new Map([[dev.id, { ...dev.config, ...config }]]);
  const runtime = (deployment: object) => stack("stackyard-runtime/one", { platform: "dev", deployment });
  const by = (deployment: object, was: Record<string, unknown>, ...files: string[]): readonly string[] | undefined =>
    provisionedBy(files, [dev, prod, runtime(deployment)], before(was))[0]?.files;
  const other = { ...provisioners, a: { spec: { namespace: "old" } } };

  it("are those of the changed provisioner", () => {
    assert.deepEqual(by({}, { provisioners: other }), [dev.file]);
    assert.deepEqual(by({ provisioner: "a" }, { provisioners: other }), [dev.file]);
    assert.equal(by({ provisioner: "b" }, { provisioners: other }), undefined);
    assert.equal(by({ environment: "prod" }, { provisioners: other }), undefined);
  });

  it("are those that get another provisioner", () => {
    assert.deepEqual(by({}, { defaultProvisioner: "b" }), [dev.file]);
    assert.equal(by({ provisioner: "a" }, { defaultProvisioner: "b" }), undefined);
    assert.deepEqual(by({ environment: "prod" }, { environments: {} }), [dev.file]);
  });

  it("are those whose templates change, and all of them if the slot changes", () => {
    assert.deepEqual(by({}, {}, "own/s.tmpl"), ["own/s.tmpl"]);
    assert.equal(by({ provisioner: "b" }, {}, "own/s.tmpl"), undefined);
    assert.deepEqual(by({ provisioner: "b" }, { slot: { cpu: 2 } }), [dev.file]);
  });

  it("are all of them if the provisioners are secret and change", () => {
    const secret = stack("stackyard/dev", { ...dev.config, provisioners: { secure: "v1:a" } });
    const was = new Map([[dev.id, { ...dev.config, provisioners: { secure: "v1:b" } }]]);
    assert.equal(provisionedBy([], [secret, runtime({ provisioner: "b" })], was).length, 1);
    assert.equal(provisionedBy([], [secret, runtime({ provisioner: "b" })], new Map()).length, 0);
  });
});
