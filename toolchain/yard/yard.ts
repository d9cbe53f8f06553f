import * as fs from "node:fs";
import * as path from "node:path";
import { repairFolder } from "../../engine/pulumi/state/damage";
import { withLock } from "../bootstrap/lock";
import { duration, say } from "../bootstrap/progress";
import { projectRoot } from "../root";
import { ensureTools, type Tools } from "../tools/ensure";
import { couldNotDownload } from "../tools/folder";
import { TOOLS } from "../tools/table";
import { clusterState, ensureCluster, stopCluster, type ClusterState } from "./cluster";
import { environmentOf, shellExports, type EnvironmentParts } from "./environment";
import { writePrivateSync } from "../../foundation/wholeFile";
import { link, withoutFolder } from "./files";
import { layoutOf, type Layout } from "./layout";
import { ensurePostgres, postgresAnswers, postgresHome, stopPostgres } from "./postgres/postgres";
import { folderAway, mayEnter, postgresUser } from "./postgres/user";
import { endOrphans } from "./orphans";
import { ensurePassphrase } from "./passphrase";
import { allProcesses, end, ofYard } from "./processes";
import { foldersOf, ledgerUrl, newRecord, readRecord, writeRecord, type YardRecord } from "./record";
import { removeDeadLocks } from "./stateLocks";

const NO_LOGS =
  "Pulumi keeps no logs of its own here: each update would write every property into them. A folder of this name has them again.";

interface YardOptions {
  /** Folder that contains the whole yard. Default: `.yard` of the checkout. */
  readonly directory?: string;
  /** Whether to print progress. Default: true. */
  readonly progress?: boolean;
}

/** A running yard. */
export interface Yard {
  readonly directory: string;
  /** Path of the kubeconfig of its cluster. */
  readonly kubeconfig: string;
  /** URL of the ledger's database, with its password. */
  readonly ledgerUrl: string;
  /**
   * The complete environment for processes that work with the yard: pulumi, kubectl, node and stackyard on PATH, with
   * state and secrets.
   */
  readonly env: Record<string, string>;
  /** Stops the yard and removes it with all its data. */
  stop(): Promise<void>;
}

function partsOf(root: string, layout: Layout, tools: Tools): EnvironmentParts {
  return { root, layout, tools, node: process.execPath, offline: couldNotDownload(tools.folders) };
}

/** Creates all parts of a yard that are files and not processes. */
async function prepare(root: string, layout: Layout, tools: Tools): Promise<YardRecord> {
  let record = readRecord(layout);
  if (record && record.directory !== layout.directory) {
    say(`  the yard in ${layout.directory} was created in ${record.directory}; it is created again`);
    if (!fs.existsSync(record.directory)) {
      // The yard was moved here. After a copy, the rest would belong to the original.
      await end(ofYard(allProcesses(), foldersOf(layoutOf(record.directory), record)), "SIGTERM", 2000);
      if (record.postgresAway !== undefined) fs.rmSync(record.postgresAway, { recursive: true, force: true });
    }
    removeData(layout);
    record = undefined;
  }
  fs.mkdirSync(layout.directory, { recursive: true });
  if (!record) {
    record = await newRecord(layout);
    const user = postgresUser();
    if (user && !(mayEnter(user, layout.directory) && mayEnter(user, root)))
      record = { ...record, postgresAway: folderAway(user) };
    writeRecord(layout, record);
  }
  ensurePassphrase(root, layout);
  fs.mkdirSync(layout.state, { recursive: true, mode: 0o700 });
  for (const tool of TOOLS) {
    // Where Pulumi looks for pinned programs.
    for (const folder of tool.present.pulumiFolders ?? []) {
      for (const program of tool.programs)
        link(tools.programs[program] ?? program, path.join(layout.pulumiHome, folder, program));
    }
  }
  withoutFolder(path.join(layout.pulumiHome, "logs"), NO_LOGS);
  writePrivateSync(layout.ledgerUrl, `${ledgerUrl(record)}\n`);
  writePrivateSync(layout.environment, shellExports(partsOf(root, layout, tools)));
  return record;
}

/**
 * Removes everything except the passphrase, so that secrets in the user's stack files stay readable in the next yard.
 */
function removeData(layout: Layout): void {
  const { record, kubeconfig, kubectlCache, ledgerUrl, environment, clusterHome, postgres, logs } = layout;
  const { pulumiHome, shoots, node, state } = layout;
  const copies = fs.existsSync(layout.directory)
    ? fs.readdirSync(layout.directory).filter((entry) => /^Pulumi\..*\.yaml$/.test(entry))
    : [];
  const files = [
    kubeconfig,
    kubectlCache,
    ledgerUrl,
    environment,
    clusterHome,
    postgres,
    logs,
    pulumiHome,
    shoots,
    node,
    state,
  ];
  for (const file of [...files, ...copies.map((copy) => path.join(layout.directory, copy))]) {
    fs.rmSync(file, { recursive: true, force: true });
  }
  // Last, because it contains the locations of the rest.
  fs.rmSync(record, { force: true });
}

async function locked<T>(layout: Layout, work: () => Promise<T>): Promise<T> {
  return withLock(layout.lock, work, (holder) => say(`• Local yard: process ${holder} is working on it; waiting`));
}

function directoryOf(options: YardOptions, root: string): string {
  fs.mkdirSync(options.directory ?? path.join(root, ".yard"), { recursive: true });
  // With links resolved, because the name of the cluster is derived from the path.
  return fs.realpathSync(options.directory ?? path.join(root, ".yard"));
}

/**
 * Starts the parts of a yard that are not running, creates those that are missing or incomplete, and returns when all
 * are ready. Changes nothing if they already are. Safe for concurrent calls and processes.
 */
export async function startYard(options: YardOptions = {}): Promise<Yard> {
  const root = projectRoot();
  const layout = layoutOf(directoryOf(options, root));
  const tools = await ensureTools(root);
  const report = options.progress === false ? (): void => undefined : say;
  await locked(layout, async () => {
    const record = await prepare(root, layout, tools);
    const { ports } = record;
    const started = Date.now();
    const cluster = { layout, ports, programs: tools.programs, furniture: path.join(root, "toolchain", "yard") };
    const [did, database] = await Promise.all([
      ensureCluster(cluster).then((did) => {
        if (did !== "nothing")
          report(
            `✓ Kubernetes control plane of the yard ${did === "start" ? "started" : "made"}: ${duration(Date.now() - started)}`,
          );
        return did;
      }),
      ensurePostgres(root, layout, record).then((did) => {
        if (did) report(`✓ PostgreSQL of the yard started: ${duration(Date.now() - started)}`);
        return did;
      }),
    ]);
    if (did === "nothing" && !database) report(`✓ Local yard runs: ${duration(Date.now() - started)}`);
    await endOrphans(layout);
    for (const stack of removeDeadLocks(layout.state))
      report(`  the lock of stack ${stack} was left by an update that was killed; removed`);
    const { repaired, beyond } = await repairFolder(path.join(layout.state, ".pulumi"));
    for (const text of [...repaired, ...beyond]) report(`  ${text}`);
  });
  const record = readRecord(layout);
  if (!record)
    throw new Error(
      `${layout.record} went away while the yard was started; was "make down" run at the same time? Run make up again`,
    );
  return {
    directory: layout.directory,
    kubeconfig: layout.kubeconfig,
    ledgerUrl: ledgerUrl(record),
    env: environmentOf(partsOf(root, layout, tools), process.env),
    stop: async () => {
      await stopYard({ directory: layout.directory });
      fs.rmSync(layout.directory, { recursive: true, force: true });
    },
  };
}

/** Stops and removes a yard in any state, except its passphrase. Returns whether there was anything to remove. */
export async function stopYard(options: YardOptions = {}): Promise<boolean> {
  const layout = layoutOf(directoryOf(options, projectRoot()));
  return locked(layout, async () => {
    const record = readRecord(layout);
    const folders = foldersOf(layout, record);
    const there = record !== undefined || ofYard(allProcesses(), folders).length > 0;
    if (record) await stopPostgres(layout, record);
    await stopCluster(layout);
    await end(ofYard(allProcesses(), folders), "SIGTERM", 2000);
    if (layout.clusterAlias !== layout.clusterHome) fs.rmSync(layout.clusterAlias, { force: true });
    if (record?.postgresAway) fs.rmSync(record.postgresAway, { recursive: true, force: true });
    removeData(layout);
    return there;
  });
}

interface YardStatus {
  readonly cluster: ClusterState;
  readonly postgres: "none" | "stopped" | "running";
}

/** Returns the status of a yard without changing anything. */
export async function yardStatus(options: YardOptions = {}): Promise<YardStatus> {
  const layout = layoutOf(directoryOf(options, projectRoot()));
  const record = readRecord(layout);
  if (!record) return { cluster: "none", postgres: "none" };
  const made = fs.existsSync(path.join(postgresHome(layout, record), "data"));
  const [cluster, answers] = await Promise.all([clusterState(layout, record.ports), postgresAnswers(record)]);
  return { cluster, postgres: answers ? "running" : made ? "stopped" : "none" };
}

/** Returns shell exports for working with a yard. Creates missing files, but starts nothing. */
export async function yardExports(options: YardOptions = {}): Promise<string> {
  const root = projectRoot();
  const layout = layoutOf(directoryOf(options, root));
  const tools = await ensureTools(root);
  await locked(layout, () => prepare(root, layout, tools));
  return fs.readFileSync(layout.environment, "utf8");
}
