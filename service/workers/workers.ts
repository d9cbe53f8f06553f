import type { TaskList } from "graphile-worker";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ServiceDatabase } from "../database/serviceDatabase";
import { backendEnv, type Workspace } from "../../foundation/pulumi/backend";
import { listen } from "../database/listen";
import { LOOK_TASK, OPERATION_TASK } from "../operations/queue";
import { stagesWith } from "../gardener/clusterStages";
import { newOwner } from "../operations/run/owner";
import { forgetPreviews } from "../operations/previews";
import { recover } from "../operations/run/recover";
import { Runner, type RunnerOptions } from "../operations/run/runner";
import { inSpan } from "../tracing/span";
import { EnginePool } from "../../engine/workers/enginePool";
import type { JobOptions } from "../../engine/workers/engineWorker";
import type { Log } from "../log";
import type { EngineJob } from "../../engine/workers/messages";
import { Planner } from "../operations/planner";
import { Queue, queueLog } from "./queue";
import { BACK_OFF, DELIVERIES_AT_ONCE, LEASE_MS, LOOKS_AT_ONCE, MEMORY_FACTOR, type WorkerSettings } from "./settings";

/** Additional tasks of the queue, by name. */
export interface WorkerExtras {
  readonly tasks?: TaskList;
  /** Tasks that wait for a receiver that may never answer. They run in their own queue and don't block others. */
  readonly deliveries?: TaskList;
  readonly crontab?: string;
  readonly onEnd?: RunnerOptions["onEnd"];
}

/** The workers of this process. Any number of processes share one queue. */
export class Workers {
  private readonly listener: { readonly stop: () => Promise<void> };
  private readonly stopping = new AbortController();
  private readonly recovering: Promise<void>;

  constructor(
    readonly pool: EnginePool,
    readonly planner: Planner,
    private readonly runner: Runner,
    private readonly queues: readonly Queue[],
    private readonly options: {
      readonly database: ServiceDatabase;
      readonly settings: WorkerSettings;
      readonly log: Log;
      readonly workspace: Workspace;
      readonly removeFolder: () => void;
    },
  ) {
    const { database } = options;
    this.listener = listen(database.pool, "stackyard_cancel", (id) => this.runner.cancel(id));
    this.recovering = options.settings.takesUp ? this.recoverAgain() : Promise.resolve();
  }

  /** True, or the reason why no operation can run. */
  healthy(): true | string {
    if (this.stopping.signal.aborted) return "it is being stopped";
    const trouble = this.queues.map((queue) => queue.trouble).find((why) => why !== undefined);
    return trouble === undefined ? true : `the queue has stopped: ${trouble}`;
  }

  /** Number of operations in progress in this process, and its maximum. */
  get load(): { readonly operations: number; readonly busy: number; readonly count: number } {
    return { operations: this.runner.count, ...this.pool.load };
  }

  /**
   * Accepts no more jobs. Operations in progress may finish; after the time limit they are stopped cleanly and handed
   * over to another process or to the next start.
   */
  async drain(): Promise<void> {
    const { settings, removeFolder } = this.options;
    if (this.stopping.signal.aborted) return;
    this.stopping.abort();
    const stopped = Promise.all(this.queues.map((queue) => queue.stop()));
    const until = Date.now() + settings.drainMs;
    while (this.runner.count > 0 && Date.now() < until) await sleep(100);
    // First, so that no worker is started in the place of one whose operation is handed over.
    this.pool.close();
    this.runner.release();
    await stopped;
    while (this.runner.count > 0) await sleep(50);
    // Plans change nothing.
    while (this.pool.load.busy > 0 && Date.now() < until) await sleep(50);
    await Promise.all([this.listener.stop(), this.recovering, this.pool.end()]);
    removeFolder();
  }

  private async recoverAgain(): Promise<void> {
    const { database, settings, log, workspace } = this.options;
    const { signal } = this.stopping;
    const every = (settings.leaseMs ?? LEASE_MS) / 3;
    while (!signal.aborted) {
      try {
        const ids = await recover(database.kysely);
        if (ids.length > 0) log.info({ operations: ids }, "operations of processes that are gone are taken up again");
        await forgetPreviews(database.kysely, workspace);
      } catch (error) {
        log.warn({ err: error }, "could not look for what ended processes left");
      }
      // Random pauses, so that processes don't all run at the same moment.
      await sleep(every * (0.75 + Math.random() / 2), undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}

/** Starts the worker processes and takes jobs from the queue. */
export async function startWorkers(
  settings: WorkerSettings,
  database: ServiceDatabase,
  log: Log,
  extras: WorkerExtras = {},
): Promise<Workers> {
  const { folder, remove: removeFolder } = projectFolder(settings.root);
  const workspace = { folder, backend: settings.backend };
  const memory = settings.memoryMb * 2 ** 20;
  const pool = new EnginePool({
    command: [path.join(settings.root, "engine", "workers", "entry.js"), settings.root, folder],
    env: { ...process.env, ...backendEnv(workspace) },
    count: settings.count,
    replaceAtBytes: memory,
    memoryBytes: memory * MEMORY_FACTOR,
    maxAgeMs: settings.maxAgeMs,
    onSaid: (line) => log.warn({ component: "engine" }, line),
  });
  // The stack files of the checkout belong to its authors.
  const common = { serviceDefaults: settings.serviceDefaults, keepsFile: false, reports: true };
  const place = {
    database: database.kysely,
    workspace,
    defaultPlatform: settings.defaultPlatform,
    runEngine: (job: EngineJob, options: JobOptions) =>
      inSpan(`engine ${job.verb}`, { attributes: { "stackyard.stack": job.id } }, async (span) => {
        const result = await pool.run({ ...job, ...common }, options);
        if ("broken" in result) span.failed(result.broken);
        else if (!result.ok) span.failed("error");
        return result;
      }),
  };
  const runner = new Runner({
    owner: newOwner(),
    log,
    leaseMs: settings.leaseMs ?? LEASE_MS,
    operationMs: settings.operationMs,
    stageMs: settings.stageMs,
    stagesFor: stagesWith(settings.clusters),
    backOff: settings.backOff ?? BACK_OFF,
    onEnd: extras.onEnd,
    place,
  });
  const shared = {
    pgPool: database.pool,
    noHandleSignals: true,
    // New jobs are notified; polling is for jobs scheduled for later.
    pollInterval: 1_000,
    logger: queueLog(log),
  };
  const work = async (payload: unknown, onlyLooks: boolean): Promise<void> =>
    runner.work((payload as { readonly id: string }).id, onlyLooks);
  const queues = [
    await Queue.start(
      {
        ...shared,
        concurrency: settings.count,
        crontab: extras.crontab ?? "",
        taskList: { ...extras.tasks, [OPERATION_TASK]: (payload) => work(payload, false) },
      },
      log,
    ),
    await Queue.start(
      {
        ...shared,
        concurrency: LOOKS_AT_ONCE,
        crontab: "",
        taskList: { [LOOK_TASK]: (payload) => work(payload, true) },
      },
      log,
    ),
    ...(extras.deliveries
      ? [
          await Queue.start(
            { ...shared, concurrency: DELIVERIES_AT_ONCE, crontab: "", taskList: extras.deliveries },
            log,
          ),
        ]
      : []),
  ];
  return new Workers(pool, new Planner(place), runner, queues, { database, settings, log, workspace, removeFolder });
}

/**
 * Creates a folder with the runtimes' project, whose programs come from the checkout in `root`. The engine reads and
 * writes stack files next to its project. The checkout's own stack files belong to its authors, and must not affect the
 * service.
 */
function projectFolder(root: string): { readonly folder: string; readonly remove: () => void } {
  const home = path.join(root, "runtime");
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-service-"));
  const text = readFileSync(path.join(home, "Pulumi.yaml"), "utf8")
    .replace(/^main: (.*)$/m, (_, main: string) => `main: ${path.join(home, main)}`)
    .replace(/^( +path: )(\..*)$/gm, (_, key: string, place: string) => `${key}${path.join(home, place)}`);
  writeFileSync(path.join(folder, "Pulumi.yaml"), text, { mode: 0o600 });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
