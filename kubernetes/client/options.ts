/** Options of a client's requests. */

import type { Exchange } from "./connection";
import type { KubeObject } from "../objects/objects";

export interface ClientOptions {
  readonly signal?: AbortSignal;
  /** How long a request is retried while the server is unavailable or overloaded. Default: 20 seconds. */
  readonly patienceMs?: number;
}

export interface ListOptions {
  readonly label?: string;
  readonly field?: string;
  /** Read only apiVersion, kind and metadata. */
  readonly metadataOnly?: boolean;
  /** Stops after this many objects. */
  readonly most?: number;
  /** Reduces each object to what the caller needs, to save memory. */
  readonly keep?: (object: KubeObject) => KubeObject;
}

export interface DeleteOptions {
  readonly propagationPolicy?: "Foreground" | "Background" | "Orphan";
  /** Delete only the object with this UID. */
  readonly uid?: string;
  /** With `uid`: delete it only if it has not changed since. */
  readonly resourceVersion?: string;
}

/** A port of a Service that serves HTTP. */
export interface ServicePort {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

export type Sent = Omit<Exchange, "timeoutMs" | "signal">;

/** Receives warnings of the API server about a successful request. */
export type Warn = (message: string) => void;

export interface ApplyOptions {
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly warn?: Warn;
}
