import { join } from "node:path";
import { messageOf } from "../foundation/errors";
import type { Logger } from "pino";
import { connect, migrate, migrateDown, type ServiceDatabase } from "./database/serviceDatabase";
import { untilAnswers } from "./database/await";
import { checkKeys } from "./database/knownKeys";
import { reseal } from "./database/reseal";
import {
  databaseUrl,
  EnvironmentError,
  readEnvironment,
  readForCommand,
  withFile,
  type CommandValues,
} from "./environment";
import { notUsedIn } from "./environment/notUsed";
import { ownCluster, readDirector } from "./gardener/director";
import { serviceDefaultsOf } from "./gardener/settings";
import { backendIn } from "../foundation/pulumi/backend";
import { runtimesCluster } from "./runtimeResources/cluster";
import { createLog } from "./http/logs";
import { AddressError } from "./http/listen";
import { migrationsFolder, startService } from "./start";
import { startTracing } from "./tracing/start";
import { parseArguments, USAGE, type CommandName } from "./usage";

const EXIT = { failure: 1, usage: 2 } as const;

/**
 * Runs the service of the project in `root` until it is asked to stop, or runs the command `migrate` or `reseal`. Sets
 * the exit code.
 */
export async function main(root: string, args: readonly string[] = []): Promise<void> {
  const line = parseArguments(args);
  if ("help" in line) {
    process.stdout.write(USAGE);
    return;
  }
  if ("fault" in line) {
    process.stderr.write(`${line.fault}\n\n${USAGE}`);
    process.exitCode = EXIT.usage;
    return;
  }
  let log = createLog("info");
  try {
    const env = withFile(join(process.cwd(), ".env"), process.env);
    if (line.command) {
      const values = readForCommand(env, line.command);
      log = createLog(values.APP_LOG_LEVEL);
      const command = COMMANDS[line.command];
      await onDatabase(values, log, (database) => command(database, { root, log, downTo: line.downTo }));
      return;
    }
    const values = readEnvironment(env);
    log = createLog(values.APP_LOG_LEVEL);
    // OpenTelemetry reads its variables from the process environment.
    for (const [name, value] of Object.entries(env)) if (name.startsWith("OTEL_")) process.env[name] = value;
    const endTracing = await startTracing(env);
    for (const found of notUsedIn(env)) log.warn(found, "a variable of the environment is not used");
    const { director, why } = await readDirector(values, () => ownCluster(env));
    if (why !== undefined) log.info({ why }, "runtimes are registered in the Directors of their provisioners only");
    const service = await startService(
      root,
      { ...values, APP_STATE_BACKEND: values.APP_STATE_BACKEND ?? backendIn(env) },
      log,
      serviceDefaultsOf(values, director),
      runtimesCluster(values, () => ownCluster(env)),
    );
    log.info({ url: service.url, api: values.APP_API_ENDPOINT, metrics: service.metricsUrl }, "the service is ready");
    // Reports readiness to a parent process such as `make serve`, which then need not parse the log.
    if (process.connected) process.send?.({ ready: service.url });

    log.info({ reason: await reasonToEnd() }, "the service shuts down when the work in progress has ended");
    for (const again of ["SIGTERM", "SIGINT"] as const) process.once(again, () => process.exit(EXIT.failure));
    await service.drain();
    await endTracing().catch((error: unknown) => log.warn({ error }, "the last traces could not be sent"));
    log.info({}, "the service has ended");
  } catch (error) {
    if (error instanceof EnvironmentError) process.stderr.write(`${error.message}\n`);
    else if (error instanceof AddressError) log.fatal({}, error.message);
    else
      log.fatal(
        { error },
        `${line.command ? `${line.command} failed` : "the service could not be started"}: ${messageOf(error)}`,
      );
    process.exitCode = error instanceof EnvironmentError ? EXIT.usage : EXIT.failure;
  }
  // Exit even if handles are still open.
  setTimeout(() => process.exit(), 1000).unref();
}

/** Resolves on a signal, or when a parent process such as `make serve` is gone. */
function reasonToEnd(): Promise<string> {
  return new Promise((resolve) => {
    process.once("SIGTERM", resolve);
    process.once("SIGINT", resolve);
    const isGone = (): void => resolve("the program that started it is gone");
    process.once("disconnect", isGone);
    // It may have ended during the start.
    if (process.send && !process.connected) isGone();
    process.channel?.unref();
  });
}

interface CommandInput {
  readonly root: string;
  readonly log: Logger;
  /** The last migration that stays. */
  readonly downTo: string | undefined;
}

type Command = (database: ServiceDatabase, input: CommandInput) => Promise<void>;

const COMMANDS: Readonly<Record<CommandName, Command>> = {
  /** Used by a Job that runs before the service's pods. */
  async migrate({ pool }, { root, log, downTo }) {
    if (downTo !== undefined) {
      const reverted = await migrateDown(pool, migrationsFolder(root), downTo);
      log.info({ migrations: reverted }, reverted.length > 0 ? "migrations were reverted" : "there was none to revert");
      return;
    }
    const names = await migrate(pool, migrationsFolder(root));
    log.info({ migrations: names }, names.length > 0 ? "migrations have run" : "there was no migration to run");
  },
  /** Seals plain values, and those sealed with other keys, with the first key. */
  async reseal({ pool, kysely, vault }, { log }) {
    await checkKeys(kysely, vault);
    log.info(await reseal(pool, kysely, vault), "all secrets are sealed with the first key");
  },
};

async function onDatabase(
  values: CommandValues,
  log: Logger,
  work: (database: ServiceDatabase) => Promise<void>,
): Promise<void> {
  const database = connect({ connectionString: databaseUrl(values) }, { keys: values.APP_ENCRYPTION_KEYS });
  try {
    await untilAnswers(database.pool, (error) => log.warn({ error }, "the database does not answer yet"));
    await work(database);
  } finally {
    await database.close();
  }
}
