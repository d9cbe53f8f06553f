import { join } from "node:path";
import { workspacesIn } from "../foundation/pulumi/backend";
import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Logger } from "pino";
import { platformReference } from "../engine/stack/names";
import { issuingOf, verifiersOf } from "./api/auth/settings";
import type { ServiceDefaults } from "../components/runtime/types/gardener/serviceDefaults";
import { readSchema } from "./api/schema";
import { apiSchema, createApi } from "./api/yoga";
import { backendOf } from "./backend";
import { Capacity } from "./capacity/capacity";
import { connect, migrate, pendingMigrations, untilMigrated } from "./database/serviceDatabase";
import { untilAnswers } from "./database/await";
import { checkKeys } from "./database/knownKeys";
import { Listener } from "./database/listener";
import { databaseUrl, type Values } from "./environment";
import { Disks } from "./disks/disks";
import { diskCheck } from "./disks/request";
import { extrasOf } from "./extras";
import { fleetOf } from "./fleet";
import { runtimeSettings } from "./api/runtimes/settings";
import { gardensOf } from "./gardener/gardens";
import { shootFiles } from "./gardener/shootFile";
import { Shoots } from "./gardener/shoots";
import { requestCheck } from "./platform/judge";
import { trustedProxies } from "./http/callerAddress";
import { requireSessions } from "./database/sessions";
import { pageFiles, relativePath } from "./http/files";
import { cachedHealth, healthOf } from "./http/health";
import { closeWithin, listen } from "./http/listen";
import { createMetrics } from "./http/metrics";
import { playgroundOf } from "./http/playground";
import { createHttpServer, createMetricsServer } from "./http/server";
import type { Client } from "../kubernetes/client/client";
import type { LifetimeSettings } from "./lifetimes/rules";
import { diskLookup, goneLookup } from "./disks/fate";
import { OperationError, Operations } from "./operations";
import { Orphans } from "./orphans/orphans";
import { Rollouts } from "./rollouts/rollouts";
import { RuntimeResources } from "./runtimeResources/runtimeResources";
import { Webhooks } from "./webhooks/webhooks";
import type { Log } from "./log";
import type { Planner } from "./operations/planner";
import { extraSettings, lifetimeSettings, workerSettings } from "./settings";
import { startWorkers, type Workers } from "./workers/workers";

/** A running service. */
export interface Service {
  /** URL of the status page. The path of the API is APP_API_ENDPOINT. */
  readonly url: string;
  readonly metricsUrl: string;
  /** Accepts no new work, lets work in progress end, and closes everything. */
  drain(): Promise<void>;
}

export const migrationsFolder = (root: string): string => join(root, "service", "database", "migrations");

/**
 * Starts the service: first the servers, so that health checks work, then everything that needs the database.
 * `runtimesIn`: the cluster whose Runtimes it serves. Default: none.
 */
export async function startService(
  root: string,
  values: Values,
  log: Logger,
  serviceDefaults: ServiceDefaults = {},
  runtimesIn?: Client,
): Promise<Service> {
  const folder = migrationsFolder(root);
  const onError = (error: unknown): void => log.warn({ error }, "a connection to the database was lost");
  const connection = connect(
    { connectionString: databaseUrl(values), max: values.APP_DATABASE_POOL },
    { keys: values.APP_ENCRYPTION_KEYS, onError },
  );
  const { pool, kysely: database, vault } = connection;
  const listener = new Listener(pool, database);
  const metrics = createMetrics(database);
  const ending = new AbortController();
  const defaultPlatform = platformReference(values.APP_PLATFORM);
  const workspaces = workspacesIn(values.APP_PROJECT ?? root, values.APP_STATE_BACKEND);
  // The API is available before the workers run.
  const running: { workers?: Workers } = {};

  const planner: Pick<Planner, "plan"> = {
    plan: (request) => {
      if (running.workers) return running.workers.planner.plan(request);
      throw new OperationError("UNAVAILABLE", { reason: "the service is starting", component: "engine" });
    },
  };
  const quota = { deployments: values.APP_QUOTA_DEPLOYMENTS ?? null, slots: values.APP_QUOTA_SLOTS ?? null };
  const capacity = new Capacity({ database, workspace: workspaces.platforms, defaultPlatform });
  const engine = engineLog(log);
  const platform = (name: string, mostAgeMs?: number) => capacity.platform(name, mostAgeMs);
  const settings = extraSettings(values);
  const webhooks = settings.webhook && new Webhooks(settings.webhook, database, engine);
  const { runtimes } = workspaces;
  const lifetimes: LifetimeSettings = {
    ...lifetimeSettings(values),
    ...{ diskOf: diskLookup(runtimes), isGone: goneLookup(runtimes) },
  };
  const disks = new Disks({
    database,
    vault,
    place: { ...workspaces, platform: (name) => platform(platformReference(name)) },
  });
  const changes = new Operations({
    database,
    defaultPlatform,
    quota,
    vault,
    planner,
    judge: requestCheck({ platform, serviceDefaults, log: engine }),
    disks: diskCheck({ disks, platform }),
    stackNaming: values.APP_STACK_NAMES,
    lifetimes,
    ...(webhooks && { onEnd: (transaction, operation) => webhooks.onEnd(transaction, operation) }),
  });
  const provisioners = () => capacity.read();
  const parts = { database, vault, operations: changes, planner: () => planner, log: engine };
  const shoots = new Shoots(gardensOf(values, platform), ending.signal);
  const rollouts = new Rollouts(parts);
  const orphans = () => new Orphans({ database, vault, workspaces });
  const fleet = fleetOf({ database, rollouts, orphans, disks });

  const backend = backendOf({
    ...{ database, listener, changes, fleet, provisioners, lifetimes },
    platforms: { platform, log: engine },
    workspace: workspaces.runtimes,
  });
  const api = createApi(backend, {
    endpoint: values.APP_API_ENDPOINT,
    schema: apiSchema(readSchema(join(root, "service", "api"))),
    limits: { depth: values.APP_LIMIT_DEPTH, cost: values.APP_LIMIT_COST, aliases: values.APP_LIMIT_ALIASES },
    rate: new RateLimiterMemory({ points: values.APP_LIMIT_REQUESTS_PER_MINUTE, duration: 60 }),
    defaultPlatform,
    verifiers: verifiersOf(values),
    publicSchema: values.APP_PUBLIC_SCHEMA,
    runtimes: runtimeSettings(values, shoots),
    log,
    observe: metrics.observe,
  });
  const pageFolder = join(root, "service", "page");
  const server = createHttpServer({
    api,
    endpoint: values.APP_API_ENDPOINT,
    playground: {
      path: values.APP_PLAYGROUND_API_ENDPOINT,
      read: playgroundOf(pageFolder, relativePath(values.APP_PLAYGROUND_API_ENDPOINT, values.APP_API_ENDPOINT)),
    },
    page: pageFiles(pageFolder, values.APP_API_ENDPOINT),
    issuing: issuingOf(values),
    limitBytes: values.APP_LIMIT_BODY_KB * 1024,
    proxies: trustedProxies(values.APP_TRUSTED_PROXIES ?? []),
    mostConnections: values.APP_LIMIT_CONNECTIONS,
    health: cachedHealth(() =>
      healthOf({
        service: () => (ending.signal.aborted ? "draining" : undefined),
        database: async () => void (await pool.query("select 1")),
        migrations: async () => {
          const names = await pendingMigrations(pool, folder);
          return names.length === 0 ? undefined : `not yet run: ${names.join(", ")}`;
        },
        engine: () => {
          const said = running.workers?.healthy() ?? "it is starting";
          return said === true ? undefined : said;
        },
      }),
    ),
    ending: ending.signal,
    log,
  });
  const metricsServer = createMetricsServer(metrics.registry, log);
  const url = await listen(server, values.APP_ADDRESS, "APP_ADDRESS");
  const metricsUrl = await listen(metricsServer, values.APP_METRICS_ADDRESS, "APP_METRICS_ADDRESS");

  await untilAnswers(pool, (error) => log.warn({ error }, "the database does not answer yet"));
  await requireSessions(pool);
  if (values.APP_MIGRATE) {
    const names = await migrate(pool, folder);
    if (names.length > 0) log.info({ migrations: names }, "the database was migrated to this version");
  }
  await untilMigrated(pool, folder, (names) => log.warn({ migrations: names }, "waiting for migrations to run"));
  await checkKeys(database, vault);
  const extras = extrasOf(
    { ...settings, lifetimes },
    {
      ...parts,
      rollouts,
      watch: { workspace: workspaces.runtimes, capacity },
      bundles: { workspace: workspaces.platforms, capacity },
    },
  );
  const writeShoot = values.APP_GARDENER_ENABLE_DUMP_SHOOT_SPEC
    ? shootFiles({ folder: values.APP_GARDENER_DUMP_SHOOT_SPEC_PATH, platform, serviceDefaults })
    : undefined;
  const workers = (running.workers = await startWorkers(
    { ...workerSettings(workspaces, defaultPlatform, values, { shoots, writeShoot }), serviceDefaults },
    connection,
    engine,
    extras,
  ));
  const namespace = values.APP_RUNTIMES_NAMESPACE;
  const resources =
    runtimesIn && namespace !== undefined
      ? new RuntimeResources({
          ...{ client: runtimesIn, namespace, backend, shoots, defaultPlatform, pool, listener, log: engine },
          runtimes: runtimeSettings(values, shoots),
          kubeconfigSeconds: values.APP_RUNTIMES_KUBECONFIG_EXPIRATION / 1000,
        })
      : undefined;
  return {
    url,
    metricsUrl,
    async drain() {
      ending.abort();
      await resources?.stop();
      await Promise.all([closeWithin(server, values.APP_DRAIN_TIMEOUT), workers.drain(), listener.end()]);
      await closeWithin(metricsServer, 0);
      await connection.close();
    },
  };
}

/** Passes errors in the field that the log serializes completely and without secrets. */
function engineLog(log: Logger): Log {
  const renamed = ({ err, ...fields }: { readonly err?: unknown }): object =>
    err ? { ...fields, error: err } : fields;
  return {
    info: (fields, text) => log.info(renamed(fields), text),
    warn: (fields, text) => log.warn(renamed(fields), text),
    error: (fields, text) => log.error(renamed(fields), text),
  };
}
