import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import * as path from "node:path";
import fc from "fast-check";
import type { DescribedStack } from "../../../cli/delivery/stacks";
import { touchedBy } from "../../../cli/delivery/touched";

const stack = (id: string, config: Record<string, unknown> = {}): DescribedStack => {
  const [project, name] = id.split("/") as [DescribedStack["project"], string];
  return { id, project, name, file: `${project === "stackyard" ? "" : "runtime/"}Pulumi.${name}.yaml`, config };
};
const dev = stack("stackyard/dev", {
  ray: {},
  provisioners: { a: { spec: { templates: { service: "./own/s.tmpl" } } } },
});
const prod = stack("stackyard/prod", { cluster: { type: "eks" }, jupyterhub: {}, clusterAutoscaler: {} });
const acme = stack("stackyard-runtime/acme");
const ALL = [dev, prod, acme];
const touched = (...files: string[]): string[] => touchedBy(files, ALL).map(({ stack: each }) => each.id);

describe("the stacks that a change touches", () => {
  const cases: [string, string[], DescribedStack[]][] = [
    ["none by what no program is made of", ["docs/ray.md", "README.md", "test/x.ts", "bench/run.ts", "Makefile"], []],
    ["one by its own file", ["Pulumi.prod.yaml"], [prod]],
    ["one by its own file, in runtime", ["runtime/Pulumi.acme.yaml"], [acme]],
    ["none by the file of a stack that is not there", ["Pulumi.gone.yaml"], []],
    ["one by a file that its config names", ["own/s.tmpl"], [dev]],
    [
      "those that have Ray by its component and its chart",
      ["components/ray/plan.ts", "charts/ray-static-cluster/x"],
      [dev],
    ],
    ["those that have JupyterHub by its config", ["components/config/jupyterhub/schema.ts"], [prod]],
    ["those on EKS by its network", ["components/cluster/network/vpc.ts"], [prod]],
    ["those with the autoscaler by it", ["components/cluster/autoscaler/plan.ts"], [prod]],
    ["all platforms by the program", ["index.ts"], [dev, prod]],
    ["all platforms by what they share", ["components/cluster/cluster.ts"], [dev, prod]],
    ["all runtimes by theirs", ["runtime/program.js", "charts/runtime/templates/x.yaml"], [acme]],
    ["all by the provider and the packages", ["provider/main.ts", "package-lock.json"], [dev, prod, acme]],
    ["all platforms by the project file", ["Pulumi.yaml"], [dev, prod]],
  ];
  for (const [what, files, expected] of cases) {
    it(`are ${what}`, () => {
      const ids = expected.map(({ id }) => id);
      for (const file of files) assert.deepEqual(touched(file), ids, file);
    });
  }

  it("come with the files by which they are", () => {
    const [first] = touchedBy(["Pulumi.dev.yaml", "docs/x.md", "components/ray/ray.ts"], ALL);
    assert.deepEqual(first?.files, ["Pulumi.dev.yaml", "components/ray/ray.ts"]);
  });

  it("are those of each file together", () => {
    const files = ["index.ts", "Pulumi.prod.yaml", "runtime/x.ts", "docs/a.md", "components/ray/a.ts", "own/s.tmpl"];
    fc.assert(
      fc.property(fc.subarray(files), (some) => {
        const each = new Set(some.flatMap((file) => touched(file)));
        assert.deepEqual(new Set(touched(...some)), each);
      }),
    );
  });

  it("are told for every folder of components that there is", () => {
    const components = path.join(__dirname, "../../../components");
    const folders = readdirSync(components).filter((name) => existsSync(path.join(components, name)));
    const everything = stack("stackyard/all", { ...dev.config, ...prod.config });
    for (const folder of folders) {
      assert.equal(touchedBy([`components/${folder}/x.ts`], [everything]).length, 1, folder);
    }
  });
});
