import { sql } from "kysely";
import type { Connection, Database } from "../database/database";
import type { DeliveryUpdate, OperationRow } from "../database/tables";
import type { NoticeRow } from "../database/watchTables";
import type { Message } from "./send";

/** Builds the message about the end of an operation. It contains no secrets. */
function operationMessage(row: OperationRow, deployment: string): object {
  const { id, tenant, kind, state, revision, message, error, result, requestedBy, replacedBy } = row;
  return {
    type: "operation.ended",
    operation: {
      id,
      deployment,
      tenant,
      kind,
      state,
      revision,
      message,
      requestedBy,
      replacedBy,
      requestedAt: row.requestedAt,
      startedAt: row.startedAt,
      endedAt: row.endedAt,
      error,
      outputs: result?.outputs ?? null,
      changes: result?.changes ?? null,
    },
  };
}

/** Builds the message about a notice. */
function noticeMessage({ id, at, kind, level, tenant, subject, text }: NoticeRow): object {
  return { type: "notice", notice: { id, at, kind, level, tenant, subject, text } };
}

/** One kind of webhook message: where its deliveries are stored, and its content. */
export interface Deliveries {
  /** Task of the queue. */
  readonly task: string;
  /** Log field of the id. */
  readonly field: string;
  add(connection: Connection, id: string): Promise<unknown>;
  /** Counts an attempt; undefined if there is nothing left to deliver. */
  begin(database: Database, id: string): Promise<number | undefined>;
  set(connection: Connection, id: string, progress: DeliveryUpdate): Promise<unknown>;
  message(database: Database, id: string): Promise<Message | undefined>;
  /** Returns pending deliveries that no process sends: their job is missing, or locked for longer than an attempt takes. */
  lost(database: Database): Promise<readonly string[]>;
}

const LOST_AFTER = "30 seconds";

/** Deliveries in a table, identified by one of its columns. */
function storedIn<T extends "webhookDelivery" | "noticeDelivery">(
  task: string,
  table: T,
  column: T extends "webhookDelivery" ? "operationId" : "noticeId",
): Pick<Deliveries, "task" | "add" | "begin" | "set" | "lost"> {
  // Kysely can't type a query over a union of tables.
  const deliveries = table as "webhookDelivery";
  const key = column as "operationId";
  return {
    task,
    add: (connection, id) =>
      connection
        .insertInto(deliveries)
        .values({ [key]: id })
        .execute(),
    begin: async (database, id) => {
      const row = await database
        .updateTable(deliveries)
        .set((eb) => ({ attempts: eb("attempts", "+", 1) }))
        .where(key, "=", id)
        .where("state", "=", "pending")
        .returning("attempts")
        .executeTakeFirst();
      return row?.attempts;
    },
    set: (connection, id, progress) => connection.updateTable(deliveries).set(progress).where(key, "=", id).execute(),
    lost: async (database) => {
      const rows = await database
        .selectFrom(deliveries)
        .select(sql<string>`${sql.ref(key)}`.as("id"))
        .where("state", "=", "pending")
        .where(
          sql<boolean>`not exists (
            select from graphile_worker.jobs where jobs.key = ${`${task}:`} || ${sql.ref(key)}
            and (locked_at is null or locked_at > now() - interval '${sql.raw(LOST_AFTER)}')
          )`,
        )
        .execute();
      return rows.map(({ id }) => id);
    },
  };
}

export const OF_OPERATIONS: Deliveries = {
  field: "operation",
  ...storedIn("webhook", "webhookDelivery", "operationId"),
  message: async (database, id) => {
    const row = await database
      .selectFrom("operation")
      .innerJoin("deployment", "deployment.id", "operation.deploymentId")
      .selectAll("operation")
      .select("deployment.name")
      .where("operation.id", "=", id)
      .executeTakeFirst();
    return row && { body: operationMessage(row, row.name), headers: { "stackyard-operation": id } };
  },
};

export const OF_NOTICES: Deliveries = {
  field: "notice",
  ...storedIn("webhook_notice", "noticeDelivery", "noticeId"),
  message: async (database, id) => {
    const row = await database.selectFrom("notice").selectAll().where("id", "=", id).executeTakeFirst();
    return row && { body: noticeMessage(row), headers: { "stackyard-notice": id } };
  },
};

export const delivered = (): DeliveryUpdate => ({ state: "delivered", deliveredAt: new Date(), error: null });
