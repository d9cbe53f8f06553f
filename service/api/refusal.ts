import { extensionsOf, headersOf, type ErrorParts } from "./errors";
import { originalForm } from "./runtimes/errors";

/** An HTTP response with one error, in the format of GraphQL errors. */
export interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Builds the response to a request that is refused before it is executed. */
export function refusalOf(parts: ErrorParts): Refusal {
  const { code, component = "api", reason } = parts;
  const extensions = { ...extensionsOf(parts), ...originalForm({ code, component, reason }) };
  const body = `${JSON.stringify({ errors: [{ message: reason, extensions }] })}\n`;
  const headers = { "content-type": "application/json; charset=utf-8", ...headersOf(parts) };
  return { status: extensions.status, headers, body };
}
