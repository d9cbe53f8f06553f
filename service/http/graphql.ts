import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { Api } from "../api/yoga";
import { inSpan } from "../tracing/span";
import { bodyOf, sendError } from "./answers";

/** Passes a request to the API and sends the response, which may be a stream of events. */
export async function serveApi(
  api: Api,
  request: IncomingMessage,
  response: ServerResponse,
  { limitBytes, ending }: { readonly limitBytes: number; readonly ending: AbortSignal },
): Promise<void> {
  const { method = "GET", url = "/" } = request;
  const hasBody = method !== "GET" && method !== "HEAD" && method !== "OPTIONS";
  const body = hasBody ? await bodyOf(request, limitBytes) : undefined;
  if (hasBody && body === undefined) {
    const reason = `the request is larger than ${limitBytes / 1024} KB`;
    // The rest of the body is not read, so the connection can't be reused.
    sendError(response, { code: "TOO_LARGE", reason }, { connection: "close" });
    return;
  }
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const signal = AbortSignal.any([gone.signal, ending]);
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value ?? ""]).map((each): [string, string] => [name, each]),
  );
  const attributes = { "http.request.method": method, "url.path": url.split("?")[0] ?? "" };
  const parent = String(request.headers["traceparent"] ?? "") || null;
  const answer = await inSpan("request", { attributes, parent }, async (span) => {
    const given = await api.fetch(
      `http://service${url}`,
      { method, headers, signal, ...(body && { body: new Uint8Array(body) }) },
      { req: request, res: response },
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
  response.writeHead(answer.status, {
    ...Object.fromEntries(answer.headers),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  if (answer.body === null) {
    response.end();
    return;
  }
  // Yoga's stream type differs from Node's ReadableStream.
  await pipeline(answer.body as unknown as AsyncIterable<Uint8Array>, response, { signal }).catch((error: unknown) => {
    // The client disconnected, or the service is stopping.
    if (!signal.aborted && !response.destroyed) throw error;
    response.end();
  });
}
