import { createHmac } from "node:crypto";

/** Header with the time and signature of a message, as `t=1700000000,v1=<hex>`. */
export const SIGNATURE_HEADER = "stackyard-signature";

/** Signs a message together with its time, so that receivers can reject replays. */
export const sign = (secret: string, body: string, time: number): string =>
  `t=${time},v1=${createHmac("sha256", secret).update(`${time}.${body}`).digest("hex")}`;
