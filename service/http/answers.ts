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

/** Reads the body; undefined if it exceeds the limit. */
export async function bodyOf(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  if (Number(request.headers["content-length"] ?? 0) > limit) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
