import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { TokenIssuing } from "../api/auth/settings";
import type { Api } from "../api/yoga";
import { send, sendError, sendJson } from "./answers";
import type { Asset } from "./files";
import { serveApi, type ApiServing } from "./graphql";
import type { Health } from "./health";
import type { Playground } from "./playground";

/** The path of the API's metadata (RFC 9728, section 3.1). */
const metadataPath = (endpoint: string): string => `/.well-known/oauth-protected-resource${endpoint}`;

/**
 * Sends the protected resource metadata, with what the command line needs besides. TLS ends before the service, so
 * addresses other than this machine's are https.
 */
function sendMetadata(
  { headers: { host = "localhost" } }: IncomingMessage,
  response: ServerResponse,
  endpoint: string,
  { issuer, audience, clientId, scopes }: TokenIssuing,
): void {
  const protocol = /^(localhost|127\.|\[::1\])/.test(host) ? "http" : "https";
  sendJson(response, 200, {
    resource: `${protocol}://${host}${endpoint}`,
    resource_name: "Stackyard",
    bearer_methods_supported: ["header"],
    ...(issuer !== undefined && { authorization_servers: [issuer] }),
    ...(issuer !== undefined && { scopes_supported: scopes.split(/[\s,]+/).filter((scope) => scope !== "") }),
    stackyard_audience: audience,
    ...(clientId !== undefined && { stackyard_client_id: clientId }),
  });
}

export interface ServerSettings extends ApiServing {
  readonly api: Api;
  readonly endpoint: string;
  /** Path and content of the playground. */
  readonly playground: { readonly path: string; readonly read: () => Promise<Playground> };
  readonly page: ReadonlyMap<string, Asset>;
  readonly issuing: TokenIssuing;
  /** Maximum number of open connections. */
  readonly mostConnections: number;
  readonly health: () => Promise<Health>;
  readonly log: Logger;
}

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Requests are small; a slow client would only occupy a connection. */
const PATIENCE = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 } as const;

/** Proxies keep idle connections for up to a minute, and a request on one that closes at that moment would fail. */
const IDLE_MS = 75_000;

/** Creates the HTTP server for the API, the playground, the status page, and health and readiness. */
export function createHttpServer(settings: ServerSettings): Server {
  const { log } = settings;
  const server = createServer({ ...PATIENCE, keepAliveTimeout: IDLE_MS }, (request, response) => {
    const started = performance.now();
    const path = (request.url ?? "/").split("?")[0] ?? "/";
    response.on("close", () => {
      if (settings.ending.aborted) server.closeIdleConnections();
      const { method } = request;
      const ms = Math.round(performance.now() - started);
      log[path === "/healthz" || path === "/readyz" ? "debug" : "info"](
        { method, path, status: response.statusCode, ms },
        "request",
      );
    });
    route(settings, path, request, response).catch((error: unknown) => {
      // The client has left before the response.
      if (request.destroyed && response.destroyed) return;
      log.error({ error, path }, "a request could not be answered");
      if (response.headersSent) response.destroy();
      else sendError(response, { code: "INTERNAL", reason: "unexpected error in the service" });
    });
  });
  server.maxConnections = settings.mostConnections;
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
    sendPlayground(request, response, await playground.read());
    return;
  }
  if (path === endpoint && settings.ending.aborted) {
    const advice = "try again; another process of the service answers";
    const parts = { code: "UNAVAILABLE", reason: "this process of the service shuts down", advice } as const;
    sendError(response, { ...parts, retryAfter: 1 }, { connection: "close" });
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
  if (path === metadataPath(endpoint)) {
    sendMetadata(request, response, endpoint, settings.issuing);
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

function sendPlayground(request: IncomingMessage, response: ServerResponse, playground: Playground): void {
  const { html, compressed, tag, policy } = playground;
  const headers = {
    "content-security-policy": policy,
    "cache-control": "no-cache",
    etag: tag,
    vary: "accept-encoding",
  };
  const type = "text/html; charset=utf-8";
  const takesGzip = /\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""));
  if (request.headers["if-none-match"] === tag) send(response, 304, type, "", headers);
  else if (takesGzip) send(response, 200, type, compressed, { ...headers, "content-encoding": "gzip" });
  else send(response, 200, type, html, headers);
}

/** Creates the server for metrics. It has its own address, so that it can be kept private. */
export function createMetricsServer(registry: Registry, log: Logger): Server {
  return createServer(PATIENCE, (request, response) => {
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
