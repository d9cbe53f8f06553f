/**
 * `make upstream`: the real charts on the yard. Prints what was tried at which version with which result; ends with 1 when
 * something failed, and well, as pending, where there is no network and no folder.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { digestOf } from "../../foundation/digest";
import { fetchArchive } from "../../components/charts/fetch/fetch";
import { renderLock, withDigest, type ChartLock } from "../../components/charts/lock";
import { table } from "../../cli/terminal/table";
import { connect } from "../../kubernetes/connect/connect";
import type { Client } from "../../kubernetes/client/client";
import { messageOf } from "../../foundation/errors";
import { projectRoot } from "../../toolchain/root";
import { startYard } from "../../toolchain/yard/yard";
import { sideYard } from "../../toolchain/yard/sideYards";
import { refusals, rendered } from "./bundles";
import { catalogOf, realCharts } from "./charts";
import { install } from "./platforms";
import { EKS_ONLY } from "./values";

interface Row {
  readonly what: string;
  readonly version: string;
  readonly check: string;
  readonly trouble: string;
}

const rows: Row[] = [];
const report = (row: Row): void => {
  rows.push(row);
  process.stdout.write(`${row.trouble === "" ? "✓" : "✗"} ${row.what} ${row.version}: ${row.check}\n`);
  if (row.trouble !== "") process.stdout.write(`${row.trouble.trim().replaceAll(/^/gm, "    ")}\n`);
};

/** Reports what is wrong with what the objects of a bundle are. */
async function tried(row: Omit<Row, "trouble">, work: () => Promise<readonly string[]>): Promise<void> {
  const trouble = await work().then(
    (found) => found.join("\n"),
    (error: unknown) => messageOf(error),
  );
  report({ ...row, trouble });
}

async function main(given: string | undefined): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-upstream-"));
  const yard = await startYard({ directory: sideYard(projectRoot(), "upstream") });
  try {
    const real = await realCharts(given, path.join(folder, "mirror"));
    for (const [name, why] of Object.entries(real.missing)) process.stdout.write(`- ${name}: pending, ${why}\n`);
    const bundles = given === undefined ? [] : catalogOf(given);
    if (real.charts.length + bundles.length === 0) {
      process.stdout.write("pending: no chart can be had without a network; name a folder that has them by UPSTREAM\n");
      return 0;
    }
    const lockFile = path.join(folder, "lock.yaml");
    let lock: ChartLock = {};
    const client = connect(readFileSync(yard.kubeconfig, "utf8"), undefined, {});
    const place = { client, mirror: real.mirror, cache: path.join(folder, "cache") };
    for (const { name, version } of real.charts) {
      await tried({ what: name, version, check: "locked" }, async () => {
        const digest = digestOf(await fetchArchive(name, { mirror: real.mirror, versions: { [name]: version } }, "/"));
        lock = withDigest(lock, name, { version, digest });
        writeFileSync(lockFile, renderLock(lock));
        return [];
      });
      for (const [mode, values] of Object.entries(EKS_ONLY[name] ?? {}))
        await tried({ what: name, version, check: `our values, ${mode}` }, () =>
          checked(place.client, path.join(place.mirror, `${name}-${version}.tgz`), values, place.cache),
        );
    }
    await install(yard, real, lockFile, ({ chart, title, trouble }) => {
      const version = real.charts.find(({ name }) => name === chart)?.version ?? "";
      report({ what: chart, version, check: title, trouble });
    });
    for (const bundle of bundles)
      await tried({ what: path.relative(given ?? "", bundle), version: "-", check: "rendered" }, async () => {
        await rendered(client, bundle, {}, place.cache);
        return [];
      });
  } finally {
    await yard.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  const columns = ["WHAT", "VERSION", "CHECK", "RESULT"].map((title) => ({ title }));
  const result = ({ trouble }: Row): string => (trouble === "" ? "ok" : "failed");
  process.stdout.write(
    `\n${table(
      columns,
      rows.map((row) => [row.what, row.version, row.check, result(row)]),
    )}\n`,
  );
  return rows.some(({ trouble }) => trouble !== "") ? 1 : 0;
}

const checked = async (client: Client, file: string, values: object, cache: string): Promise<string[]> =>
  refusals(client, await rendered(client, file, values, cache));

void main(process.argv[2] || undefined).then((code) => (process.exitCode = code));
