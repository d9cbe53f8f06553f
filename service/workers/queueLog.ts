import { Logger } from "graphile-worker";
import type { Log } from "../log";

/** Logs the queue's messages without those about single jobs. */
export const queueLog = (log: Log): Logger =>
  new Logger(({ taskIdentifier: task }) => (level, message) => {
    const said: string = level;
    const fields = { component: "queue", ...(task !== undefined && { task }) };
    if (said === "error") log.error(fields, message);
    if (said === "warning") log.warn(fields, message);
  });
