import { createHmac, timingSafeEqual } from "node:crypto";

/** Verifies the signature and age of a message, as a receiver does. */
export function isSigned(header: string, body: string, secret: string, now: number, patienceSeconds = 300): boolean {
  const [, time = "", given = ""] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  if (given === "" || Math.abs(now - Number(time)) > patienceSeconds) return false;
  const expected = createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");
  return timingSafeEqual(Buffer.from(given, "hex"), Buffer.from(expected, "hex"));
}
