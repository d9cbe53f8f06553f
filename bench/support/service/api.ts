import { setTimeout as sleep } from "node:timers/promises";
import { emptyDatabase, type EmptyDatabase } from "../../../test/engine/runtime/emptyDatabase";
import { ask, follow, ServiceProcess } from "../../../test/service/process";
import type { Bed } from "../bed";

const LOOK_MS = 200;
const PAGE = 100;

/** The fields of an operation that the benchmark uses; times in milliseconds. */
export interface Ended {
  readonly deploymentId: string;
  readonly waitMs: number;
  readonly runMs: number;
}

/** The service's real process with its own database in the yard's PostgreSQL. All requests go through its API. */
export class ServiceBed {
  private constructor(
    private readonly database: EmptyDatabase,
    private readonly service: ServiceProcess,
  ) {}

  static async start(bed: Bed, workers: number): Promise<ServiceBed> {
    const database = await emptyDatabase(bed.yard.ledgerUrl, "bench");
    const service = await ServiceProcess.start(
      {
        ...bed.yard.env,
        APP_DATABASE_URL: database.url,
        APP_PLATFORM: "dev",
        APP_WORKERS: String(workers),
        APP_LIMIT_REQUESTS_PER_MINUTE: "1000000",
        APP_STACK_NAMES: "id",
        APP_LOG_LEVEL: "warn",
      },
      bed.root,
    );
    // The workers load their code in the background.
    await sleep(3_000);
    return new ServiceBed(database, service);
  }

  get databaseUrl(): string {
    return this.database.url;
  }

  get pid(): number {
    return this.service.child.pid ?? 0;
  }

  /** Requests a mutation such as `provisionDeployment(id: "x", …)`. Returns the operation's id. */
  async ask(mutation: string): Promise<string> {
    const name = mutation.split("(")[0] ?? "";
    const data = await this.query(`mutation { ${mutation} { operation { id } } }`);
    return (data[name] as { operation: { id: string } }).operation.id;
  }

  /** Waits for the end of an operation; throws if it did not succeed. */
  async end(id: string): Promise<void> {
    await follow(this.service.url, id);
    const { operation } = (await this.query(`{ operation(id: "${id}") { deploymentId state error { reason } } }`)) as {
      operation: { deploymentId: string; state: string; error: { reason: string } | null };
    };
    if (operation.state === "succeeded") return;
    throw new Error(`${operation.deploymentId}: ${operation.error?.reason ?? operation.state}`);
  }

  /** Waits until no operation is in progress; throws if one failed. */
  async idle(): Promise<void> {
    while ((await this.count("[pending, in_progress]")) > 0) await sleep(LOOK_MS);
    const failed = await this.count("[failed, canceled]");
    if (failed > 0) throw new Error(`${failed} operations did not succeed`);
  }

  private async count(states: string): Promise<number> {
    const data = await this.query(`{ operations(first: 1, filter: { state: ${states} }) { totalCount } }`);
    return (data["operations"] as { totalCount: number }).totalCount;
  }

  /** Successful operations of deployments with this id prefix, in the order in which they started. */
  async ended(prefix: string): Promise<Ended[]> {
    const found: (Ended & { readonly begun: number })[] = [];
    for (let after = ""; ;) {
      const data = await this.query(
        `{ operations(first: ${PAGE}, filter: { state: [succeeded] }${after}) {
          nodes { deploymentId requestedAt startedAt endedAt } pageInfo { endCursor hasNextPage } } }`,
      );
      const { nodes, pageInfo } = data["operations"] as {
        nodes: Record<"deploymentId" | "requestedAt" | "startedAt" | "endedAt", string>[];
        pageInfo: { endCursor: string; hasNextPage: boolean };
      };
      for (const { deploymentId, ...times } of nodes) {
        const [asked = 0, begun = 0, done = 0] = [times.requestedAt, times.startedAt, times.endedAt].map(Date.parse);
        if (deploymentId.startsWith(prefix)) {
          found.push({ deploymentId, begun, waitMs: begun - asked, runMs: done - begun });
        }
      }
      if (!pageInfo.hasNextPage) return found.sort((left, right) => left.begun - right.begun);
      after = `, after: "${pageInfo.endCursor}"`;
    }
  }

  private async query(text: string): Promise<Readonly<Record<string, unknown>>> {
    const { data, errors } = await ask(this.service.url, text);
    if (errors !== undefined || !data) throw new Error(`${text}: ${errors?.map(({ message }) => message).join("; ")}`);
    return data;
  }

  /** Stops the service and removes its database. */
  async remove(): Promise<void> {
    await this.service.stop();
    await this.database.remove();
  }
}
