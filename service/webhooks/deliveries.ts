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
  /** Counts a try; undefined where there is nothing to deliver any more. */
  begin(database: Database, id: string): Promise<number | undefined>;
  set(connection: Connection, id: string, progress: DeliveryUpdate): Promise<unknown>;
  message(database: Database, id: string): Promise<Message | undefined>;
}

export const OF_OPERATIONS: Deliveries = {
  task: "webhook",
  field: "operation",
  add: (connection, operationId) => connection.insertInto("webhookDelivery").values({ operationId }).execute(),
  begin: async (database, id) => {
    const row = await database
      .updateTable("webhookDelivery")
      .set((eb) => ({ attempts: eb("attempts", "+", 1) }))
      .where("operationId", "=", id)
      .where("state", "=", "pending")
      .returning("attempts")
      .executeTakeFirst();
    return row?.attempts;
  },
  set: (connection, id, progress) =>
    connection.updateTable("webhookDelivery").set(progress).where("operationId", "=", id).execute(),
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
  add: (connection, noticeId) => connection.insertInto("noticeDelivery").values({ noticeId }).execute(),
  begin: async (database, id) => {
    const row = await database
      .updateTable("noticeDelivery")
      .set((eb) => ({ attempts: eb("attempts", "+", 1) }))
      .where("noticeId", "=", id)
      .where("state", "=", "pending")
      .returning("attempts")
      .executeTakeFirst();
    return row?.attempts;
  },
  set: (connection, id, progress) =>
    connection.updateTable("noticeDelivery").set(progress).where("noticeId", "=", id).execute(),
  message: async (database, id) => {
    const row = await database.selectFrom("notice").selectAll().where("id", "=", id).executeTakeFirst();
    return row && { body: noticeMessage(row), headers: { "stackyard-notice": id } };
  },
};

export const delivered = (): DeliveryUpdate => ({ state: "delivered", deliveredAt: new Date(), error: null });
