import { createHmac, timingSafeEqual } from "node:crypto";

/** Header with the time and signature of a message, as `t=1700000000,v1=<hex>`. */
export const SIGNATURE_HEADER = "stackyard-signature";

const digest = (secret: string, time: number, body: string): string =>
  createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");

/** Signs a message together with its time, so that receivers can reject replays. */
export const sign = (secret: string, body: string, time: number): string =>
  `t=${time},v1=${digest(secret, time, body)}`;

/** Verifies the signature and age of a message. For receivers in tests and examples. */
export function isSigned(header: string, body: string, secret: string, now: number, patienceSeconds = 300): boolean {
  const [, time = "", given = ""] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  if (given === "" || Math.abs(now - Number(time)) > patienceSeconds) return false;
  return timingSafeEqual(Buffer.from(given, "hex"), Buffer.from(digest(secret, Number(time), body), "hex"));
}
