import { createHmac, timingSafeEqual } from "node:crypto";

/** Header with the time of a message and its signature, as `t=1700000000,v1=<hex>`. */
export const SIGNATURE_HEADER = "stackyard-signature";

const digest = (secret: string, time: number, body: string): string =>
  createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");

/** Signs a message, with the time in it: an old one that somebody sends again is identified by that. */
export const sign = (secret: string, body: string, time: number): string =>
  `t=${time},v1=${digest(secret, time, body)}`;

/** Whether a message is by who knows the secret, and not older than this; for receivers in our tests and examples. */
export function isSigned(header: string, body: string, secret: string, now: number, patienceSeconds = 300): boolean {
  const [, time = "", given = ""] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  if (given === "" || Math.abs(now - Number(time)) > patienceSeconds) return false;
  return timingSafeEqual(Buffer.from(given, "hex"), Buffer.from(digest(secret, Number(time), body), "hex"));
}
