import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { componentPages, pythonName, type PackageSchema } from "../../../toolchain/docs/components";
import { linked, targetsOf } from "../../../toolchain/docs/linked";
import { navigationOf, type Entry, type Group } from "../../../toolchain/docs/navigation";
import { sitePages } from "../../../toolchain/docs/pages";
import { anchorsOf, pages, pageText } from "../../fixtures/pages";

const root = join(__dirname, "../../..");
const schema = JSON.parse(readFileSync(join(root, "provider/package.schema.json"), "utf8")) as PackageSchema;

const entriesOf = (items: readonly (Entry | Group)[]): Entry[] =>
  items.flatMap((item) => ("items" in item ? entriesOf(item.items) : [item]));

describe("the documentation site", () => {
  const groups = navigationOf(pageText("docs/README.md"));
  const site = sitePages(root);

  it("groups its pages by what a reader wants", () => {
    assert.deepEqual(
      groups.map(({ text }) => text),
      ["Tutorial", "How-to", "Reference", "Explanation"],
    );
    assert.equal(entriesOf(groups[0]!.items)[0]?.link, "/start");
  });

  it("has every page of docs/ in its navigation once", () => {
    const wanted = pages()
      .filter((page) => /^docs\/[^/]+\.md$/.test(page) && page !== "docs/README.md")
      .map((page) => page.slice("docs".length, -".md".length));
    const links = entriesOf(groups).map(({ link }) => link);
    assert.deepEqual(links.toSorted(), [...wanted, "/decisions/"].toSorted());
  });

  it("has only links to pages, headings and pictures that it has", () => {
    const missing = [...site].flatMap(([page, text]) =>
      typeof text !== "string" || page.startsWith("files/")
        ? []
        : [...text.replace(/^( *```+).*?^\1$/gms, "").matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g)]
            .map(([, link = ""]) => link)
            .filter((link) => {
              const [target = "", anchor] = link.split("#");
              const file = target === "" ? page : join(page, "..", target);
              const found = site.get(file);
              if (found === undefined) return true;
              return anchor !== undefined && !anchorsOf(String(found)).includes(anchor);
            })
            .map((link) => `${page}: ${link}`),
    );
    assert.deepEqual(missing, []);
  });

  it("shows linked files, and names of folders without a link", () => {
    const place = (file: string): string | undefined =>
      ({ "docs/a.md": "a.md", "docs/b/README.md": "b/index.md", "lib/x.ts": "files/lib/x.ts.md" })[file];
    const text = "[B](b/README.md#top), [`x`](../lib/x.ts), [lib](../lib)\n\n```md\n[B](b/README.md)\n```\n";
    assert.equal(
      linked(text, "docs/a.md", place),
      "[B](./b/index.md#top), [`x`](./files/lib/x.ts.md), lib\n\n```md\n[B](b/README.md)\n```\n",
    );
    assert.deepEqual(targetsOf(text, "docs/a.md"), ["docs/b/README.md", "lib/x.ts", "lib"]);
  });
});

describe("the reference of the package", () => {
  const reference = componentPages(schema);

  it("has a page for each component and resource, and a list", () => {
    const names = Object.keys(schema.resources).map((token) => token.split(":")[2]);
    assert.deepEqual([...reference.keys()].toSorted(), [...names, "index"].toSorted());
    for (const name of names) assert.match(reference.get("index")!, new RegExp(`\\(${name}\\.md\\)`));
  });

  it("has arguments with their names in each language, types, defaults and descriptions", () => {
    const page = reference.get("RayCluster")!;
    assert.match(page, /`stackyard\.RayCluster` \| `stackyard\.NewRayCluster` \| `stackyard:RayCluster`/);
    assert.match(
      page,
      /^\| `workerGroups`<br>`worker_groups` \| map of \[RayClusterWorkerGroups\]\(#rayclusterworkergroups\) \|/m,
    );
    assert.match(page, /^\| `mode` \| `static` or `autoscaling` or `kuberay`, required \|/m);
    assert.match(page, /^\| `namespace` \| string \| Namespace\. Default: `"ray"`\. \|$/m);
    assert.match(page, /^## Outputs$/m);
    assert.match(
      reference.get("StaticPool")!,
      /^\| `ledgerUrl`<br>`ledger_url` \| string, required \| .* Secret\. \|$/m,
    );
  });

  it("has names of Python as Pulumi makes them", () => {
    assert.deepEqual(["issuerURL", "insecureSkipTLSVerify", "dataDir", "sha256"].map(pythonName), [
      "issuer_url",
      "insecure_skip_tls_verify",
      "data_dir",
      "sha256",
    ]);
  });
});
