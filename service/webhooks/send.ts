import { messageOf } from "../../foundation/errors";
import { Guard } from "../../foundation/net/address";
import { exchange, shownUrl } from "../../foundation/net/http";
import { createHmac } from "node:crypto";

/** Limit of one attempt, from the connection to the status of the answer. */
const PATIENCE_MS = 10_000;

/** Body of a message, and the header with its subject. */
export interface Message {
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;
}

/** Header with the time and signature of a message, as `t=1700000000,v1=<hex>`. */
const SIGNATURE_HEADER = "stackyard-signature";

/** Signs a message together with its time, so that receivers can reject replays. */
export const sign = (secret: string, body: string, time: number): string =>
  `t=${time},v1=${createHmac("sha256", secret).update(`${time}.${body}`).digest("hex")}`;

/**
 * Sends a message. Returns undefined if the receiver accepted it, else the reason. Only the status of the answer counts:
 * redirects are failures, and the content is not read.
 */
export async function send(
  { url, secret, patienceMs = PATIENCE_MS }: { readonly url: string; readonly secret: string; patienceMs?: number },
  message: Message,
): Promise<string | undefined> {
  const body = JSON.stringify(message.body);
  const signature = sign(secret, body, Math.floor(Date.now() / 1000));
  const target = new URL(url);
  const signal = AbortSignal.timeout(patienceMs);
  try {
    const { status, body: content } = await exchange({
      url: target,
      guard: new Guard(target),
      headers: { [SIGNATURE_HEADER]: signature, ...message.headers },
      payload: { method: "POST", type: "application/json", body: Buffer.from(body) },
      signal,
    });
    content.destroy();
    if (status >= 200 && status < 300) return undefined;
    return `the receiver answered ${status}${status >= 300 && status < 400 ? ", which is not followed" : ""}`;
  } catch (error) {
    if (signal.aborted) return `the receiver did not answer within ${patienceMs / 1000} seconds`;
    // The path may be a secret, as in webhooks of chat services.
    return messageOf(error).replaceAll(shownUrl(target), target.origin);
  }
}
