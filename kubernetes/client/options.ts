/** What the requests of a client take. */

import type { Exchange } from "./connection";
import type { KubeObject } from "./objects";

export interface ClientOptions {
  readonly signal?: AbortSignal;
  /** How long a request may be tried again while the server is unavailable or overloaded. Default: 20 seconds. */
  readonly patienceMs?: number;
}

export interface ListOptions {
  readonly label?: string;
  readonly field?: string;
  /** Nothing but apiVersion, kind and metadata. */
  readonly metadataOnly?: boolean;
  /** Stops when there are so many. */
  readonly most?: number;
  /** What is kept of each, so that many need not be held at once. */
  readonly keep?: (object: KubeObject) => KubeObject;
}

export interface DeleteOptions {
  readonly propagationPolicy?: "Foreground" | "Background" | "Orphan";
  /** Only when it still is that very object. */
  readonly uid?: string;
}

/** A port of a Service that speaks HTTP. */
export interface ServicePort {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

export type Sent = Omit<Exchange, "timeoutMs" | "signal">;

/** Gets what the API server warns of in an answer that is a success. */
export type Warn = (message: string) => void;

export interface ApplyOptions {
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly warn?: Warn;
}
