import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { Api } from "../api/yoga";
import { send, sendError, sendJson } from "./answers";
import type { Asset } from "./files";
import { serveApi } from "./graphql";
import type { Health } from "./health";

export interface ServerSettings {
  readonly api: Api;
  readonly endpoint: string;
  /** Path and content of the playground. */
  readonly playground: { readonly path: string; readonly html: () => Promise<string> };
  readonly page: ReadonlyMap<string, Asset>;
  readonly limitBytes: number;
  readonly health: () => Promise<Health>;
  /** Aborted when the service stops; closes open streams. */
  readonly ending: AbortSignal;
  readonly log: Logger;
}

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Creates the HTTP server for the API, the playground, the status page, and health and readiness. */
export function createHttpServer(settings: ServerSettings): Server {
  const { log } = settings;
  const server = createServer((request, response) => {
    const started = performance.now();
    const path = (request.url ?? "/").split("?")[0] ?? "/";
    response.on("close", () => {
      const { method } = request;
      const ms = Math.round(performance.now() - started);
      log[path === "/healthz" || path === "/readyz" ? "debug" : "info"](
        { method, path, status: response.statusCode, ms },
        "request",
      );
    });
    route(settings, path, request, response).catch((error: unknown) => {
      log.error({ error, path }, "a request could not be answered");
      if (response.headersSent) response.destroy();
      else sendError(response, { code: "INTERNAL", reason: "unexpected error in the service" });
    });
  });
  // Bodies are small; a slow client would only occupy a connection.
  server.requestTimeout = 30_000;
  return server;
}

async function route(
  settings: ServerSettings,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { endpoint, playground, page } = settings;
  const wantsPage = request.method === "GET" && (request.headers.accept ?? "").includes("text/html");
  if (path === playground.path && wantsPage) {
    send(response, 200, "text/html; charset=utf-8", await playground.html());
    return;
  }
  if (path === endpoint) {
    await serveApi(settings.api, request, response, settings);
    return;
  }
  if (request.method !== "GET" && request.method !== "HEAD") {
    sendError(response, { code: "NOT_FOUND", reason: `there is nothing at ${path} that accepts requests` });
    return;
  }
  if (path === "/healthz") {
    send(response, 200, "text/plain; charset=utf-8", "ok\n");
    return;
  }
  if (path === "/readyz") {
    const health = await settings.health();
    sendJson(response, health.ready ? 200 : 503, health);
    return;
  }
  const asset = page.get(path);
  if (!asset) {
    const advice = `the API is at ${endpoint}, the status page at /`;
    sendError(response, { code: "NOT_FOUND", reason: "there is nothing at this path", advice });
    return;
  }
  const { type, body, tag } = asset;
  const headers = { "content-security-policy": CSP, "cache-control": "no-cache", etag: tag };
  if (request.headers["if-none-match"] === tag) send(response, 304, type, "", headers);
  else send(response, 200, type, body, headers);
}

/** Creates the server for metrics. It has its own address, so that it can be kept private. */
export function createMetricsServer(registry: Registry, log: Logger): Server {
  return createServer((request, response) => {
    if (request.url !== "/metrics") {
      sendError(response, { code: "NOT_FOUND", reason: "the metrics are at /metrics" });
      return;
    }
    registry.metrics().then(
      (text) => send(response, 200, registry.contentType, text),
      (error: unknown) => {
        log.warn({ error }, "the metrics could not be read");
        sendError(response, { code: "UNAVAILABLE", reason: "the metrics could not be read" });
      },
    );
  });
}
