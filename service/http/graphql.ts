import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { Presented } from "../api/auth/caller";
import { ApiError } from "../api/errors";
import type { Api } from "../api/yoga";
import { inSpan } from "../tracing/span";
import { bodyOf, sendError } from "./answers";
import { callerAddress, type TrustedProxies } from "./callerAddress";

/** Enough for the introspection query of any client. */
const MOST_BYTES_WITHOUT_TOKEN = 4096;

export interface ApiServing {
  readonly limitBytes: number;
  /** Aborted when the service stops: streams end, running requests finish, and new ones are refused. */
  readonly ending: AbortSignal;
  /** Proxies that say where a request comes from. */
  readonly proxies: TrustedProxies;
}

/** Passes a request to the API and sends the response, which may be a stream of events. */
export async function serveApi(
  api: Api,
  request: IncomingMessage,
  response: ServerResponse,
  { limitBytes, ending, proxies }: ApiServing,
): Promise<void> {
  const { method = "GET", url = "/" } = request;
  const hasBody = method !== "GET" && method !== "HEAD" && method !== "OPTIONS";
  const visitor = await api.admit(presentedIn(request, proxies)).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    // Node discards a small body that follows; a connection with a larger one is closed instead.
    const isSmall = !hasBody || Number(request.headers["content-length"] ?? Infinity) <= limitBytes;
    sendError(response, error.parts, isSmall ? {} : { connection: "close" });
    return undefined;
  });
  if (!visitor) return;
  const most = visitor.identity ? limitBytes : Math.min(limitBytes, MOST_BYTES_WITHOUT_TOKEN);
  const body = hasBody ? await bodyOf(request, most) : undefined;
  if ((hasBody && body === undefined) || url.length > most) {
    const reason = `the request is larger than ${most / 1024} KB`;
    // Some of the body may not have been read, so the connection can't be reused.
    sendError(response, { code: "TOO_LARGE", reason }, { connection: "close" });
    return;
  }
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value ?? ""]).map((each): [string, string] => [name, each]),
  );
  const attributes = { "http.request.method": method, "url.path": url.split("?")[0] ?? "" };
  const parent = String(request.headers["traceparent"] ?? "") || null;
  const answer = await inSpan("request", { attributes, parent }, async (span) => {
    const given = await api.fetch(
      `http://service${url}`,
      { method, headers, signal: gone.signal, ...(body && { body: new Uint8Array(body) }) },
      { req: request, res: response, visitor },
    );
    span.attributes({ "http.response.status_code": given.status });
    return given;
  });
  if (answer.status === 415) {
    // Yoga's response has only the status, so the reason is added here.
    const found = request.headers["content-type"] ?? "none";
    sendError(response, {
      code: "UNSUPPORTED_MEDIA_TYPE",
      reason: `found content type ${found}; expected application/json`,
    });
    return;
  }
  const isStream = answer.headers.get("content-type")?.startsWith("text/event-stream") === true;
  response.writeHead(answer.status, {
    ...Object.fromEntries(answer.headers),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    // nginx would otherwise keep events back until it has a few kilobytes.
    ...(isStream && { "x-accel-buffering": "no" }),
  });
  if (answer.body === null) {
    response.end();
    return;
  }
  // Only streams end with the service: they may last longer than any drain, and clients continue them elsewhere.
  const signal = isStream ? AbortSignal.any([gone.signal, ending]) : gone.signal;
  // Yoga's stream type differs from Node's ReadableStream.
  await pipeline(answer.body as unknown as AsyncIterable<Uint8Array>, response, { signal }).catch((error: unknown) => {
    // The client disconnected, or the service is stopping.
    if (!signal.aborted && !response.destroyed) throw error;
    response.end();
  });
}

const presentedIn = ({ headers, socket }: IncomingMessage, proxies: TrustedProxies): Presented => ({
  authorization: headers.authorization,
  tenant: headers["tenant"]?.toString(),
  address: callerAddress(socket.remoteAddress, headers, proxies),
});
