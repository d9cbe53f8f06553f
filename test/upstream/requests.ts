/**
 * `make requests`: what the charts and bundles below `catalog/` of a folder request with default values, one line each, and
 * with `texts` each request. Needs no cluster. Ends with 1 when one can't be rendered.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { BundleCache } from "../../bundles/cache";
import { asks, type Asks } from "../../bundles/permissions/asks";
import { asksText } from "../../bundles/permissions/text";
import { openAs } from "../../cli/bundle/source/open";
import { numbers, table } from "../../cli/terminal/table";
import { messageOf } from "../../foundation/errors";
import { count } from "../../foundation/text/numbers";
import { catalogOf } from "./charts";

/** Parts of {@link Asks} that don't depend on what is in a cluster, with the titles of their columns. */
const PARTS = {
  permissions: "RIGHTS",
  clusterObjects: "CLUSTER",
  webhooks: "WEBHOOKS",
  host: "NODES",
  others: "OTHERS",
} as const satisfies Partial<Record<keyof Asks, string>>;

const RELEASE = { name: "shop", namespace: "shop", values: {}, cluster: undefined };

async function requestsOf(folder: string, cache: BundleCache): Promise<{ objects: number; asked: Asks }> {
  const { signal } = new AbortController();
  const source = { type: "local", path: folder } as const;
  const { format, tree } = await openAs([source], undefined, { base: "/", cache, signal });
  const objects = (await format.read(tree, { ...RELEASE, signal })).map(({ object }) => object);
  return { objects: objects.length, asked: asks(objects, RELEASE.namespace) };
}

async function main(given: string, withTexts: boolean): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-requests-"));
  const cache = new BundleCache(() => undefined, folder);
  const rows: number[][] = [];
  const names: string[] = [];
  let failed = 0;
  for (const bundle of catalogOf(given)) {
    const name = path.relative(path.join(given, "catalog"), bundle);
    try {
      const { objects, asked } = await requestsOf(bundle, cache);
      names.push(name);
      rows.push([objects, ...(Object.keys(PARTS) as (keyof typeof PARTS)[]).map((part) => asked[part].length)]);
      if (withTexts) process.stdout.write([name, ...asksText(asked).map((line) => `  ${line}`), ""].join("\n"));
    } catch (error) {
      failed++;
      process.stdout.write(`${name} can't be rendered: ${messageOf(error)}\n`);
    }
  }
  rmSync(folder, { recursive: true, force: true });
  const columns = [{ title: "WHAT" }, ...["OBJECTS", ...Object.values(PARTS)].map(numbers)];
  const cells = rows.map((row, at) => [names[at] ?? "", ...row.map(String)]);
  process.stdout.write(`\n${table(columns, cells)}\n\n`);
  const total = rows.flatMap(([, ...parts]) => parts).reduce((sum, one) => sum + one, 0);
  const nothing = rows.filter(([, ...parts]) => parts.every((one) => one === 0)).length;
  process.stdout.write(
    `${count(rows.length, "bundle")} with ${count(total, "request")}; ${nothing} of them request nothing; ${failed} can't be rendered\n`,
  );
  return failed === 0 ? 0 : 1;
}

const [, , given = ".", texts] = process.argv;
void main(path.resolve(given), texts === "texts").then((code) => (process.exitCode = code));
