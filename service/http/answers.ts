import type { IncomingMessage, ServerResponse } from "node:http";
import type { ErrorParts } from "../api/errors";
import { refusalOf } from "../api/refusal";

const COMMON = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
} as const;

/** Sends a response with a content type. */
export function send(
  response: ServerResponse,
  status: number,
  type: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { ...COMMON, "cache-control": "no-store", "content-type": type, ...headers });
  response.end(body);
}

export const sendJson = (response: ServerResponse, status: number, value: unknown): void =>
  send(response, status, "application/json; charset=utf-8", `${JSON.stringify(value)}\n`);

/** Sends an error outside of GraphQL in the format of GraphQL errors. */
export function sendError(response: ServerResponse, parts: ErrorParts, more: Readonly<Record<string, string>> = {}) {
  const { status, headers, body } = refusalOf(parts);
  const { "content-type": type = "application/json", ...others } = headers;
  send(response, status, type, body, { ...others, ...more });
}

/** A proxy sends a whole body before it reads the response, and most send 1 MB at most. */
const MOST_DROPPED = 1024 * 1024;

/** Reads the body; undefined if it exceeds the limit. Of what exceeds it, as much is read as proxies send. */
export async function bodyOf(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  const most = limit + MOST_DROPPED;
  if (Number(request.headers["content-length"] ?? 0) > most) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most) return undefined;
    if (size <= limit) chunks.push(chunk);
  }
  return size > limit ? undefined : Buffer.concat(chunks);
}
