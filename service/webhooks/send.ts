import { messageOf as reasonOf } from "../../foundation/errors";
import { sign, SIGNATURE_HEADER } from "./sign";

const PATIENCE_MS = 10_000;

/** Body of a message, and the header with its subject. */
export interface Message {
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends a message. Returns undefined if the receiver accepted it, else the reason. Redirects count as failures. */
export async function send(
  { url, secret }: { readonly url: string; readonly secret: string },
  message: Message,
): Promise<string | undefined> {
  const body = JSON.stringify(message.body);
  const signature = sign(secret, body, Math.floor(Date.now() / 1000));
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", [SIGNATURE_HEADER]: signature, ...message.headers },
      body,
      redirect: "error",
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    await response.body?.cancel();
    return response.ok ? undefined : `the receiver answered ${response.status}`;
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? `: ${reasonOf(error.cause)}` : "";
    return `${reasonOf(error)}${cause}`;
  }
}
