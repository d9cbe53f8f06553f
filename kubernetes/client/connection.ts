/** A connection to one API server: kept-alive sockets and credentials. */

import * as http from "node:http";
import * as https from "node:https";
import { unreachable } from "./apiError";
import { Authenticator, type RequestAuth } from "../access/credentials";
import type { Access, ImpersonatedUser } from "../access/kubeconfig";
import { leaseAs, type Lease } from "../access/lease";

export interface Exchange {
  readonly method: "GET" | "PATCH" | "POST" | "PUT" | "DELETE";
  /** Path with its query. */
  readonly path: string;
  readonly contentType?: string;
  readonly accept?: string;
  readonly body?: string | Uint8Array;
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Time until the response must be complete. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** Values of the response's `Warning` headers. */
  readonly warnings: readonly string[];
  readonly body: string;
}

/** More sockets would not be faster: an API server limits the concurrent requests of a user. */
const MAX_SOCKETS = 16;

/** Access, with the state that depends on it. */
interface Open {
  readonly access: Access;
  readonly authenticator: Authenticator;
  agent?: { readonly auth: RequestAuth; readonly agent: http.Agent };
}

export class ServerConnection {
  #open: Open | undefined;

  constructor(private readonly way: Access | Lease) {}

  /** `https://host:port`, or the name of a lease, for messages. */
  get server(): string {
    return isLease(this.way) ? this.way.name : this.way.server.href.replace(/\/$/, "");
  }

  /** The same connection and credentials, impersonating this identity. The user needs the right to impersonate it. */
  as(identity: ImpersonatedUser): ServerConnection {
    return new ServerConnection(isLease(this.way) ? leaseAs(this.way, identity) : { ...this.way, as: identity });
  }

  /** Sends a request. Retries it once with new credentials after a 401. */
  async send(exchange: Exchange): Promise<HttpResponse> {
    const open = await this.#opened();
    const response = await this.#once(open, exchange);
    if (response.status !== 401) return response;
    if (isLease(this.way)) this.way.refused();
    else if (!open.authenticator.invalidate()) return response;
    return this.#once(await this.#opened(), exchange);
  }

  async #opened(): Promise<Open> {
    const access = isLease(this.way) ? await this.way.access() : this.way;
    if (this.#open?.access !== access) this.#open = { access, authenticator: new Authenticator(access.credentials) };
    return this.#open;
  }

  async #once(open: Open, exchange: Exchange): Promise<HttpResponse> {
    const auth = await open.authenticator.authenticate();
    exchange.signal?.throwIfAborted();
    const { secure, options } = requestOf(open, auth, exchange);
    const { signal } = exchange;
    return new Promise((resolve, reject) => {
      const settled = (): void => {
        clearTimeout(late);
        signal?.removeEventListener("abort", abort);
      };
      const fail = (error: unknown): void => {
        settled();
        if (signal?.aborted && signal.reason instanceof Error) reject(signal.reason);
        else reject(unreachable(this.server, error));
      };
      const request = (secure ? https : http).request(options, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", fail);
        response.on("end", () => {
          settled();
          const body = Buffer.concat(chunks).toString("utf8");
          const { "retry-after": retryAfter, warning } = response.headers;
          const warnings = warning === undefined ? [] : warningsOf(response.headersDistinct["warning"] ?? []);
          resolve({ status: response.statusCode ?? 0, retryAfter, warnings, body });
        });
      });
      const late = setTimeout(() => {
        const message = `no answer within ${exchange.timeoutMs / 1000} seconds`;
        request.destroy(Object.assign(new Error(message), { code: "ETIMEDOUT", late: true }));
      }, exchange.timeoutMs);
      // The option `signal` of Node.js would create an error with a stack trace for every finished request.
      const abort = (): void => void request.destroy(new Error("aborted"));
      signal?.addEventListener("abort", abort, { once: true });
      request.on("error", fail);
      request.end(exchange.body);
    });
  }

  /** Sends a request whose response is read while it comes, until the signal aborts. The caller reads or destroys it. */
  async stream(
    exchange: Omit<Exchange, "timeoutMs"> & { readonly signal: AbortSignal },
  ): Promise<http.IncomingMessage> {
    const open = await this.#opened();
    const auth = await open.authenticator.authenticate();
    const { signal } = exchange;
    signal.throwIfAborted();
    const { secure, options } = requestOf(open, auth, exchange);
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      const request = (secure ? https : http).request({ ...options, signal }, resolve);
      request.on("error", (error) => reject(unreachable(this.server, error)));
      request.end();
    });
    if (response.statusCode === 401) {
      // The next request asks for credentials again.
      if (isLease(this.way)) this.way.refused();
      else open.authenticator.invalidate();
    }
    return response;
  }
}

/** The options of Node.js for a request. */
function requestOf(open: Open, auth: RequestAuth, exchange: Omit<Exchange, "timeoutMs">) {
  const { server, as } = open.access;
  const secure = server.protocol === "https:";
  const headers: http.OutgoingHttpHeaders = {
    ...exchange.headers,
    ...(as === undefined ? {} : impersonation(as)),
    accept: exchange.accept ?? "application/json",
    "user-agent": "stackyard",
  };
  if (auth.authorization !== undefined) headers["authorization"] = auth.authorization;
  if (exchange.body !== undefined) {
    headers["content-type"] = exchange.contentType ?? "application/json";
    headers["content-length"] = Buffer.byteLength(exchange.body);
  }
  const options: https.RequestOptions = {
    method: exchange.method,
    host: server.hostname.replace(/^\[|\]$/g, ""),
    port: server.port || (secure ? 443 : 80),
    path: server.pathname.replace(/\/$/, "") + exchange.path,
    headers,
    agent: agentFor(open, auth, secure),
  };
  return { secure, options };
}

const isLease = (way: Access | Lease): way is Lease => "refused" in way;

function agentFor(open: Open, auth: RequestAuth, secure: boolean): http.Agent {
  if (open.agent && open.agent.auth.cert === auth.cert) return open.agent.agent;
  // A previous agent is not destroyed, because requests may use it. Idle connections do not keep the process alive.
  const keep = { keepAlive: true, maxSockets: MAX_SOCKETS, scheduling: "lifo" as const };
  const { tls } = open.access;
  const agent = secure
    ? new https.Agent({ ...keep, ...tls, cert: auth.cert ?? tls.cert, key: auth.key ?? tls.key })
    : new http.Agent(keep);
  // All connections are equal. By default, each request concatenates all certificates to a name.
  agent.getName = () => open.access.server.host;
  open.agent = { auth, agent };
  return agent;
}

function impersonation({ user, groups = [], uid, extra = {} }: ImpersonatedUser): http.OutgoingHttpHeaders {
  return {
    "impersonate-user": user,
    ...(groups.length > 0 ? { "impersonate-group": [...groups] } : {}),
    ...(uid === undefined ? {} : { "impersonate-uid": uid }),
    // Keys may contain characters that header names must not.
    ...Object.fromEntries(
      Object.entries(extra).map(([key, values]) => [`impersonate-extra-${encodeURIComponent(key)}`, [...values]]),
    ),
  };
}

/** Parses `299 - "text"`, with escaped quotes and backslashes. */
function warningsOf(headers: readonly string[]): string[] {
  return headers.flatMap((header) =>
    [...header.matchAll(/\d{3} \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) => text.replace(/\\(.)/g, "$1")),
  );
}
