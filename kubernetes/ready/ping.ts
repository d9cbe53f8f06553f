/** Requests a URL until it responds. */

import * as http from "node:http";
import * as https from "node:https";
import type { LookupFunction } from "node:net";
import { until } from "../work/work";
import type { Site } from "../apply/site";

const ONE_TRY_MS = 5_000;
/** Minimum timeout of an attempt, even if it ends after the deadline. */
const LAST_TRY_MS = 500;

/** Returns why the URL did not respond; undefined if it did. Any status except 429 and 5xx counts as a success. */
export function ping(url: string, signal?: AbortSignal, timeoutMs = ONE_TRY_MS): Promise<string | undefined> {
  const target = new URL(url);
  return new Promise((resolve, reject) => {
    const options: https.RequestOptions = { method: "GET", agent: false, signal, timeout: timeoutMs };
    options.headers = { "user-agent": "stackyard" };
    if (isLocal(target.hostname)) options.lookup = loopback;
    const request = (target.protocol === "https:" ? https : http).request(target, options, (response) => {
      response.resume();
      response.destroy();
      const { statusCode = 0, statusMessage = "" } = response;
      const busy = statusCode === 429 || statusCode >= 500;
      resolve(busy ? `HTTP ${statusCode} ${statusMessage}`.trim() : undefined);
    });
    request.on("timeout", () => request.destroy(new Error(`no answer within ${timeoutMs / 1000} seconds`)));
    request.on("error", (error: NodeJS.ErrnoException) => {
      if (signal?.aborted) return reject(error);
      resolve(reasonFor(error));
    });
    request.end();
  });
}

/** Throws an error with the last response after the deadline. */
export async function untilAnswers(site: Site, url: string): Promise<void> {
  let last = "";
  let reported = "";
  await until(
    site,
    async () => {
      const left = Math.max(LAST_TRY_MS, Math.min(ONE_TRY_MS, site.deadline - Date.now()));
      const trouble = await ping(url, site.signal, left);
      if (trouble === undefined) return true;
      last = trouble;
      if (reported !== trouble) site.log("status", `rolled out; waiting for ${url}: ${trouble}`);
      reported = trouble;
      return undefined;
    },
    () =>
      Promise.resolve(
        new Error(
          `everything is rolled out, but ${url} does not answer: ${last}. Check that its host name leads to the cluster's ingress`,
        ),
      ),
  );
}

/** Resolves `localhost` and names below it to this machine, regardless of DNS (RFC 6761). */
export const isLocal = (hostname: string): boolean => hostname === "localhost" || hostname.endsWith(".localhost");

const loopback: LookupFunction = (_hostname, options, callback) => {
  // If asked for all addresses, Node.js tries them in order.
  if (options.all) {
    callback(null, [
      { address: "127.0.0.1", family: 4 },
      { address: "::1", family: 6 },
    ]);
  } else callback(null, "127.0.0.1", 4);
};

function reasonFor(error: NodeJS.ErrnoException): string {
  const first = error instanceof AggregateError ? (error.errors[0] as NodeJS.ErrnoException) : error;
  switch (first.code ?? "") {
    case "ECONNREFUSED":
      return "connection refused";
    case "ENOTFOUND":
      return "its host name is unknown";
    case "ECONNRESET":
      return "the connection was cut off";
    default:
      return first.message || (first.code ?? "no answer");
  }
}
