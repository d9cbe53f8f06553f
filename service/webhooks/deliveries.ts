import type { Connection, Database } from "../database/database";
import type { DeliveryUpdate } from "../database/tables";
import { noticeMessage, operationMessage } from "./message";
import type { Message } from "./send";

/** One kind of thing that a receiver is reported about: where its deliveries are kept, and what is said of it. */
export interface Deliveries {
  /** The queue's task. */
  readonly task: string;
  /** What the log calls its id. */
  readonly field: string;
  add(connection: Connection, id: string): Promise<unknown>;
  /** Counts a try; undefined if there is nothing to deliver any more. */
  begin(database: Database, id: string): Promise<number | undefined>;
  set(connection: Connection, id: string, progress: DeliveryUpdate): Promise<unknown>;
  message(database: Database, id: string): Promise<Message | undefined>;
}

/** Deliveries of a table, each by the id in one of its columns. */
function storedIn<T extends "webhookDelivery" | "noticeDelivery">(
  table: T,
  column: T extends "webhookDelivery" ? "operationId" : "noticeId",
): Pick<Deliveries, "add" | "begin" | "set"> {
  // The query builder can't type a query whose table is one of two.
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
