import type { Credentials } from "../charts";

/** A chart, or what leads to it, can't be had at present; an optional component does without. */
export class Unreachable extends Error {}

/** How long a server may take to begin its answer. */
const REACH_MS = 10_000;
/** How long an answer may take in whole. Charts are small; the largest index has some megabytes. */
const WHOLE_MS = 120_000;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

/** Asks for `url`; any status is an answer. Throws {@link Unreachable} when there is none. */
export async function ask(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new Error("no answer in time"));
  let timer = setTimeout(abort, REACH_MS);
  try {
    const response = await fetch(url, { headers, signal: controller.signal });
    clearTimeout(timer);
    timer = setTimeout(abort, WHOLE_MS);
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, bytes };
  } catch (cause) {
    throw new Unreachable(`${shown(url)} can't be reached: ${reason(cause)}`, { cause });
  } finally {
    clearTimeout(timer);
  }
}

/** The body of a successful answer. */
export async function get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Buffer> {
  const { status, bytes } = await ask(url, headers);
  if (status !== 200) throw new Unreachable(`${shown(url)} answers with HTTP status ${status}`);
  return bytes;
}

/** The header that says who is there. */
export const basic = ({ username, password }: Credentials): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;

/** The URL without user, password and query, any of which may be a secret. */
export function shown(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

/** `fetch` hides what went wrong in the cause of its error. */
function reason(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = (cause as NodeJS.ErrnoException).code;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "its host name is not known here";
  return code ?? (cause instanceof Error ? cause.message : String(cause));
}
