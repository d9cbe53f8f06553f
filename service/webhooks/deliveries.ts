import type { Connection, Database } from "../database/database";
import type { DeliveryUpdate } from "../database/tables";
import { noticeMessage, operationMessage } from "./message";
import type { Message } from "./send";

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
}

/** Deliveries in a table, identified by one of its columns. */
function storedIn<T extends "webhookDelivery" | "noticeDelivery">(
  table: T,
  column: T extends "webhookDelivery" ? "operationId" : "noticeId",
): Pick<Deliveries, "add" | "begin" | "set"> {
  // Kysely can't type a query over a union of tables.
  const deliveries = table as "webhookDelivery";
  const key = column as "operationId";
  return {
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
  };
}

export const OF_OPERATIONS: Deliveries = {
  task: "webhook",
  field: "operation",
  ...storedIn("webhookDelivery", "operationId"),
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
  task: "webhook_notice",
  field: "notice",
  ...storedIn("noticeDelivery", "noticeId"),
  message: async (database, id) => {
    const row = await database.selectFrom("notice").selectAll().where("id", "=", id).executeTakeFirst();
    return row && { body: noticeMessage(row), headers: { "stackyard-notice": id } };
  },
};

export const delivered = (): DeliveryUpdate => ({ state: "delivered", deliveredAt: new Date(), error: null });
