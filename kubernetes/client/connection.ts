/** One way to one API server: kept-alive connections and the credentials that go with them. */

import * as http from "node:http";
import * as https from "node:https";
import { unreachable } from "./apiError";
import { Prover } from "../access/credentials";
import type { Proof } from "../access/credentials";
import type { Access, Identity } from "../access/kubeconfig";

export interface Exchange {
  readonly method: "GET" | "PATCH" | "POST" | "PUT" | "DELETE";
  /** Path with its query. */
  readonly path: string;
  readonly contentType?: string;
  readonly accept?: string;
  readonly body?: string | Uint8Array;
  /** Besides those that follow from the other fields. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Time until the answer has to be complete. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** What the server has to say besides. */
  readonly warnings: readonly string[];
  readonly body: string;
}

/** More would not be quicker: an API server serves one user only so many requests at a time. */
const MAX_SOCKETS = 16;

export class Connection {
  readonly #prover: Prover;
  #agent: { readonly proof: Proof; readonly agent: http.Agent } | undefined;

  constructor(private readonly access: Access) {
    this.#prover = new Prover(access.credentials);
  }

  /** `https://host:port`, for messages. */
  get server(): string {
    return this.access.server.href.replace(/\/$/, "");
  }

  /** The same way with the same credentials, whose owner must be allowed to speak for this identity. */
  as(identity: Identity): Connection {
    return new Connection({ ...this.access, as: identity });
  }

  /** Sends a request once; once more with fresh credentials when they were refused. */
  async send(exchange: Exchange): Promise<Answer> {
    const answer = await this.#once(exchange);
    if (answer.status !== 401 || !this.#prover.refused()) return answer;
    return this.#once(exchange);
  }

  async #once(exchange: Exchange): Promise<Answer> {
    const proof = await this.#prover.proof();
    exchange.signal?.throwIfAborted();
    const { server, as } = this.access;
    const secure = server.protocol === "https:";
    const headers: http.OutgoingHttpHeaders = {
      ...exchange.headers,
      ...(as === undefined ? {} : impersonation(as)),
      accept: exchange.accept ?? "application/json",
      "user-agent": "stackyard",
    };
    if (proof.authorization !== undefined) headers["authorization"] = proof.authorization;
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
      agent: this.#agentFor(proof, secure),
      signal: exchange.signal,
    };
    return new Promise((resolve, reject) => {
      const fail = (error: unknown): void => {
        clearTimeout(late);
        const { signal } = exchange;
        if (signal?.aborted && signal.reason instanceof Error) reject(signal.reason);
        else reject(unreachable(this.server, error));
      };
      const request = (secure ? https : http).request(options, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", fail);
        response.on("end", () => {
          clearTimeout(late);
          const body = Buffer.concat(chunks).toString("utf8");
          const { "retry-after": retryAfter } = response.headers;
          const warnings = warningsOf(response.headersDistinct["warning"] ?? []);
          resolve({ status: response.statusCode ?? 0, retryAfter, warnings, body });
        });
      });
      const late = setTimeout(() => {
        const message = `no answer within ${exchange.timeoutMs / 1000} seconds`;
        request.destroy(Object.assign(new Error(message), { code: "ETIMEDOUT", late: true }));
      }, exchange.timeoutMs);
      request.on("error", fail);
      request.end(exchange.body);
    });
  }

  #agentFor(proof: Proof, secure: boolean): http.Agent {
    if (this.#agent && this.#agent.proof.cert === proof.cert) return this.#agent.agent;
    // The one before, if any, is not destroyed: requests may be under way on it. Idle connections keep no process alive.
    const keep = { keepAlive: true, maxSockets: MAX_SOCKETS, scheduling: "lifo" as const };
    const { tls } = this.access;
    const agent = secure
      ? new https.Agent({ ...keep, ...tls, cert: proof.cert ?? tls.cert, key: proof.key ?? tls.key })
      : new http.Agent(keep);
    this.#agent = { proof, agent };
    return agent;
  }
}

function impersonation({ user, groups = [], uid, extra = {} }: Identity): http.OutgoingHttpHeaders {
  return {
    "impersonate-user": user,
    ...(groups.length > 0 ? { "impersonate-group": [...groups] } : {}),
    ...(uid === undefined ? {} : { "impersonate-uid": uid }),
    // Keys may have characters that names of headers may not.
    ...Object.fromEntries(
      Object.entries(extra).map(([key, values]) => [`impersonate-extra-${encodeURIComponent(key)}`, [...values]]),
    ),
  };
}

/** `299 - "text"`, in which quotes and backslashes are escaped. */
function warningsOf(headers: readonly string[]): string[] {
  return headers.flatMap((header) =>
    [...header.matchAll(/\d{3} \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) => text.replace(/\\(.)/g, "$1")),
  );
}
