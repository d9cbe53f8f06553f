import { sql } from "kysely";
import { reconcileBundle, reconciledBundles } from "../../engine/bundles/reconcile";
import { messageOf } from "../../foundation/errors";
import type { Workspace } from "../../foundation/pulumi/backend";
import type { Capacity } from "../capacity/capacity";
import type { Database } from "../database/database";
import type { BundleRow } from "../database/watchTables";
import type { Log } from "../log";
import { addJob, LOW_PRIORITY } from "../operations/queue";
import { notice, wasWarned, type Hear } from "../watch/notices";
import { newsOf, reasonOf, secondsUntilNext, shownOf, streakAfter, type Result } from "./bundleNews";

export interface BundlesOptions {
  readonly database: Database;
  /** That of the platforms. */
  readonly workspace: Workspace;
  readonly capacity: Pick<Capacity, "platformsInUse">;
  readonly log: Log;
  /** Called for each notice. */
  readonly hear?: Hear;
  /** Default: {@link reconcileBundle}. */
  readonly reconcile?: typeof reconcileBundle;
}

const TASK = "bundle";
const SCHEDULE = "bundle_schedule";
const LIMIT_MS = 15 * 60_000;
/** Tenants don't read what a platform has; administrators of all tenants do. */
const EVERYBODY = "*";

/** Restores bundles of platforms whose config asks for it to what their stacks applied last. */
export class BundleReconciler {
  constructor(private readonly options: BundlesOptions) {}

  /** Tasks for the queue. */
  get tasks(): Readonly<Record<string, (payload: unknown) => Promise<void>>> {
    return {
      [SCHEDULE]: () => this.schedule(),
      [TASK]: (payload) => this.check((payload as { readonly id: string }).id),
    };
  }

  /** Runs every minute, in one process. */
  readonly crontab = `* * * * * ${SCHEDULE}`;

  /** Takes in the config of all platforms in use, and queues the bundles that are due. */
  async schedule(): Promise<void> {
    const { database, capacity, log } = this.options;
    for (const platform of await capacity.platformsInUse()) {
      try {
        await this.takeIn(platform);
      } catch (error) {
        log.warn({ platform, err: error }, "the bundles of a platform could not be read");
      }
    }
    await database.transaction().execute(async (transaction) => {
      const due = await transaction
        .updateTable("bundle")
        .set({ nextAt: sql<Date>`now() + every_seconds * interval '1 second'` })
        .where("nextAt", "<=", sql<Date>`now()`)
        .returning(["platform", "urn"])
        .execute();
      for (const { platform, urn } of due) {
        await addJob(transaction, TASK, `${platform} ${urn}`, { priority: LOW_PRIORITY });
      }
    });
  }

  private async takeIn(platform: string): Promise<void> {
    const { database, workspace } = this.options;
    const found = await reconciledBundles(platform, workspace);
    for (const { urn, name, everySeconds } of found) {
      // The first look is at any moment of the interval, so that not all bundles are compared at once.
      const nextAt = sql<Date>`now() + random() * ${everySeconds} * interval '1 second'`;
      await database
        .insertInto("bundle")
        .values({ platform, urn, name, everySeconds, nextAt })
        .onConflict((conflict) =>
          conflict
            .columns(["platform", "urn"])
            .doUpdateSet({ name, everySeconds, nextAt })
            .where("bundle.everySeconds", "!=", everySeconds),
        )
        .execute();
    }
    const urns = found.map(({ urn }) => urn);
    await database
      .deleteFrom("bundle")
      .where("platform", "=", platform)
      .where(sql<boolean>`not (urn = any(${urns}))`)
      .execute();
  }

  /** `id`: platform and URN. */
  async check(id: string): Promise<void> {
    const { database } = this.options;
    const [platform = "", urn = ""] = id.split(/ (.*)/s);
    const row = await database
      .selectFrom("bundle")
      .selectAll()
      .where("platform", "=", platform)
      .where("urn", "=", urn)
      .executeTakeFirst();
    if (!row) return;
    const result = await this.reconcile(row);
    if (result) await this.record(row, result);
    else await database.deleteFrom("bundle").where("platform", "=", platform).where("urn", "=", urn).execute();
  }

  /** Undefined if the stack does not have the bundle any more. */
  private async reconcile({ platform, urn, name }: BundleRow): Promise<Result | undefined> {
    const { workspace, log, reconcile = reconcileBundle } = this.options;
    const say = (severity: string, text: string): void => {
      if (severity !== "status") log.info({ platform, bundle: name, severity }, text);
    };
    try {
      return await reconcile(platform, urn, { workspace, signal: AbortSignal.timeout(LIMIT_MS), log: say });
    } catch (error) {
      return { standing: "failed", reason: messageOf(error), repaired: [], left: [] };
    }
  }

  private async record(row: BundleRow, result: Result): Promise<void> {
    const { database, log, hear } = this.options;
    const { platform, urn, name, everySeconds } = row;
    const streak = streakAfter(row, result);
    const reason = reasonOf(result);
    const pause = secondsUntilNext(everySeconds, streak, Math.random());
    const { restored, managers } = shownOf(result);
    const about = { kind: "drift", tenant: EVERYBODY, subject: `${platform}/${name}` } as const;
    log.info(
      { platform, bundle: name, standing: result.standing, restored: result.repaired.length },
      "a bundle was reconciled",
    );
    await database.transaction().execute(async (transaction) => {
      const news = newsOf(row, result, reason, { streak, warned: await wasWarned(transaction, about) });
      if (news) await notice(transaction, { ...about, ...news }, hear);
      await transaction
        .updateTable("bundle")
        .set({
          standing: result.standing,
          reason,
          streak,
          managers,
          repairs: sql<number>`repairs + ${result.repaired.length}`,
          ...(restored && { restored: JSON.stringify(restored), restoredAt: sql<Date>`now()` }),
          checkedAt: sql<Date>`now()`,
          nextAt: sql<Date>`now() + ${pause} * interval '1 second'`,
        })
        .where("platform", "=", platform)
        .where("urn", "=", urn)
        .execute();
    });
  }
}
