/** Credentials for requests to an API server. */

import type { ExecCredential } from "./execCredential";
import type { Json } from "../../foundation/json/isObject";

export type ClusterCredentials =
  | { readonly kind: "none" }
  | { readonly kind: "token"; readonly token: string }
  | { readonly kind: "tokenFile"; read(): string }
  | { readonly kind: "basic"; readonly username: string; readonly password: string }
  | { readonly kind: "exec"; readonly exec: Json; readonly cluster: Json; readonly server: URL };

/** The parts of a request and its connection that authenticate it. */
export interface RequestAuth {
  readonly authorization?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** Files are read again after this time, because the kubelet rotates mounted tokens. */
const FILE_FRESH_MS = 60_000;
/** Plugins run again this long before their credential expires. */
const EARLY_MS = 10_000;

/** Authenticates requests. Caches credentials until they expire. */
export class Authenticator {
  #known: { readonly auth: RequestAuth; readonly until: number } | undefined;
  #asking: Promise<RequestAuth> | undefined;

  constructor(private readonly credentials: ClusterCredentials) {}

  authenticate(): Promise<RequestAuth> {
    if (this.#known && Date.now() < this.#known.until) return Promise.resolve(this.#known.auth);
    // Requests that start together share one plugin run.
    this.#asking ??= this.#ask().finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  /** Drops credentials that the server rejected. Returns whether a retry can get different ones. */
  invalidate(): boolean {
    this.#known = undefined;
    return this.credentials.kind === "exec" || this.credentials.kind === "tokenFile";
  }

  async #ask(): Promise<RequestAuth> {
    const { credentials } = this;
    switch (credentials.kind) {
      case "none":
        return this.#keep({}, Infinity);
      case "token":
        return this.#keep({ authorization: `Bearer ${credentials.token}` }, Infinity);
      case "tokenFile":
        return this.#keep({ authorization: `Bearer ${credentials.read()}` }, Date.now() + FILE_FRESH_MS);
      case "basic": {
        const pair = Buffer.from(`${credentials.username}:${credentials.password}`).toString("base64");
        return this.#keep({ authorization: `Basic ${pair}` }, Infinity);
      }
      case "exec": {
        const { runPlugin } = await import("./execCredential.js");
        const { token, cert, key, expires }: ExecCredential = await runPlugin(credentials);
        const authorization = token === undefined ? undefined : `Bearer ${token}`;
        return this.#keep({ authorization, cert, key }, expires === undefined ? Infinity : expires - EARLY_MS);
      }
    }
  }

  #keep(auth: RequestAuth, until: number): RequestAuth {
    this.#known = { auth, until };
    return auth;
  }
}
