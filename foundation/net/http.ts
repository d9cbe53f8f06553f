/** Sends requests to untrusted servers and reads untrusted content. */

import * as http from "node:http";
import * as https from "node:https";
import { Readable } from "node:stream";
import { rootCertificates } from "node:tls";
import { readAll, type Bytes } from "./streams";
import { Refused, Unavailable } from "./errors";
import { RESPONSE_BYTES } from "./bytes";
import { retrying } from "../backOff";
import { paced } from "./pace";
import type { Guard } from "./address";

/**
 * Timeouts in milliseconds: until the response begins after the last chunk was sent, between two chunks, and in total.
 */
const TIMES = { answer: 20_000, idle: 30_000, whole: 15 * 60_000 };
const REDIRECTS = 5;
const TRIES = 3;

export interface Trust {
  /** Certificates (PEM) to trust in addition to the root certificates. */
  readonly certificateData?: string;
  /** Skip TLS verification (insecure). */
  readonly insecureSkipTLSVerify?: boolean;
}

/** Method and body of a request that is not a GET. */
interface RequestPayload {
  readonly method: "HEAD" | "POST" | "PUT";
  /** Content type of the body. */
  readonly type?: string;
  readonly body?: Uint8Array;
  /** Called periodically with the number of bytes of the body sent so far. */
  readonly sent?: (bytes: number) => void;
}

export interface Request {
  readonly url: URL;
  readonly guard: Guard;
  readonly headers?: Readonly<Record<string, string>>;
  /** Value of the `Authorization` header. Sent only to the URL's own server, never to a redirect target. */
  readonly authorization?: string;
  /** Not set for a GET. Redirects of POST and PUT are not followed. */
  readonly payload?: RequestPayload;
  readonly trust?: Trust;
  readonly signal?: AbortSignal;
}

export interface HttpResponse {
  /** The final URL, after redirects. */
  readonly url: URL;
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  /** Throws {@link Unavailable} if the connection is cut. The caller must read or destroy it. */
  readonly body: Bytes & { destroy(): void };
}

/** The URL without user, password and query, any of which may be a secret. */
export const shownUrl = ({ protocol, host, pathname }: URL): string => `${protocol}//${host}${pathname}`;

/**
 * Sends a request and follows redirects. Returns the response for any other status. Throws {@link Unavailable} or
 * {@link Refused}.
 */
export async function exchange(request: Request): Promise<HttpResponse> {
  let { url, authorization } = request;
  const signal = AbortSignal.any([AbortSignal.timeout(TIMES.whole), ...(request.signal ? [request.signal] : [])]);
  const hasBody = request.payload !== undefined && request.payload.method !== "HEAD";
  for (let step = 0; step <= REDIRECTS; step++) {
    request.guard.check(url);
    const response = await once({ ...request, url, authorization, signal });
    const { location } = response.headers;
    if (![301, 302, 303, 307, 308].includes(response.status) || location === undefined || hasBody) return response;
    response.body.destroy();
    const next = redirectTarget(url, location);
    if (next.origin !== url.origin) authorization = undefined;
    url = next;
  }
  throw new Refused(`${shownUrl(request.url)} redirects more than ${REDIRECTS} times`);
}

/**
 * Resolves a `Location` header. Throws {@link Refused} if the target is less secure than the URL that redirects to it.
 */
export function redirectTarget(url: URL, location: string): URL {
  const next = URL.canParse(location, url.href) ? new URL(location, url.href) : undefined;
  const toHttp = next?.protocol === "https:" || (next?.protocol === "http:" && url.protocol === "http:");
  if (next !== undefined && toHttp && next.username === "" && next.password === "") return next;
  const target = next === undefined ? "nowhere" : `${next.protocol}//${next.host}`;
  throw new Refused(
    `${shownUrl(url)} redirects to ${target}; expected ${url.protocol === "https:" ? "https" : "http or https"}`,
  );
}

function once({ url, guard, headers, authorization, payload, trust, signal }: Request): Promise<HttpResponse> {
  const secure = url.protocol === "https:";
  const options: https.RequestOptions = {
    method: payload?.method ?? "GET",
    headers: {
      ...headers,
      "user-agent": "stackyard",
      ...(authorization === undefined ? {} : { authorization }),
      ...(payload?.type === undefined ? {} : { "content-type": payload.type }),
      ...(payload === undefined || payload.method === "HEAD"
        ? {}
        : { "content-length": String(payload.body?.length ?? 0) }),
    },
    agent: false,
    lookup: guard.lookup,
    signal,
    maxHeaderSize: 64 * 1024,
    ...(trust?.insecureSkipTLSVerify === true ? { rejectUnauthorized: false } : {}),
    ...(trust?.certificateData === undefined ? {} : { ca: [...rootCertificates, trust.certificateData] }),
  };
  return new Promise((resolve, reject) => {
    const call = (secure ? https : http).request(url, options, (response) => {
      clearTimeout(late);
      response.setTimeout(TIMES.idle, () =>
        response.destroy(new Error(`nothing came for ${TIMES.idle / 1000} seconds`)),
      );
      const { statusCode: status = 0, headers } = response;
      resolve({ url, status, headers, body: new Body(url, response, signal) });
    });
    const late = setTimeout(() => call.destroy(new Error("no answer in time")), TIMES.answer);
    call.on("error", (error) => {
      clearTimeout(late);
      reject(toError(url, error, signal));
    });
    const body = payload?.body;
    if (body === undefined) call.end();
    else {
      const taken = (bytes: number): void => {
        late.refresh();
        payload?.sent?.(bytes);
      };
      Readable.from(pieces(body, taken)).pipe(call);
    }
  });
}

const PIECE_BYTES = 256 * 1024;

/**
 * Yields the body in chunks. A slow connection that accepts a chunk is still alive, so each chunk restarts the timeout.
 */
function* pieces(body: Uint8Array, taken: (bytes: number) => void): Generator<Uint8Array> {
  for (let at = 0; at < body.length; at += PIECE_BYTES) {
    taken(at);
    yield body.subarray(at, at + PIECE_BYTES);
  }
}

class Body implements AsyncIterable<Uint8Array> {
  constructor(
    private readonly url: URL,
    private readonly response: http.IncomingMessage,
    private readonly signal: AbortSignal | undefined,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      yield* paced(this.response);
    } catch (error) {
      throw toError(this.url, error, this.signal);
    }
  }

  destroy(): void {
    this.response.destroy();
  }
}

/** Network errors are transient. An unknown host name or an untrusted certificate is permanent. */
function toError(url: URL, error: unknown, signal: AbortSignal | undefined): Error {
  if (error instanceof Refused) return error;
  if (signal?.aborted === true && signal.reason instanceof Error && signal.reason.name !== "TimeoutError")
    return signal.reason;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOTFOUND")
    return new Unavailable(`${shownUrl(url)} can't be reached: its host name is not known here`, false);
  const untrusted = /CERT|SELF_SIGNED|ISSUER|ERR_TLS|ERR_SSL/.test(code ?? "");
  const why = code === "ECONNRESET" || message === "aborted" ? "the connection was cut" : ((message || code) ?? "");
  return new Unavailable(`${shownUrl(url)} can't be reached: ${why}`, !untrusted, { cause: error });
}

/** Throws {@link Unavailable} unless the response has this status. */
export function expectStatus(url: URL, response: HttpResponse, status = 200): HttpResponse {
  if (response.status === status) return response;
  response.body.destroy();
  const passing = [408, 425, 429].includes(response.status) || response.status >= 500;
  const denied = response.status === 401 || response.status === 403;
  const hint = denied ? `; check its credentials and their permission to ${status === 200 ? "read" : "write"}` : "";
  throw new Unavailable(`${shownUrl(url)} answers with HTTP status ${response.status}${hint}`, passing);
}

/** Reads a small response as text. */
export const responseText = async (response: HttpResponse, what: string): Promise<string> =>
  (await readAll(response.body, RESPONSE_BYTES, what)).toString("utf8");

/** Retries transient errors after 0.3 s and 1.2 s. */
export function withRetries<T>(work: () => Promise<T>, signal?: AbortSignal, tries = TRIES): Promise<T> {
  const isPassing = (error: unknown): boolean => error instanceof Unavailable && error.passing;
  const pauseAfter = (error: unknown, attempt: number) =>
    isPassing(error) && attempt < tries ? 300 * attempt ** 2 : undefined;
  return retrying(work, pauseAfter, signal);
}
