/** Follows the objects of a kind. */

import { text } from "node:stream/consumers";
import { StringDecoder } from "node:string_decoder";
import { numberAt, type KubeObject, type Ref } from "../objects/objects";
import { apiError } from "./apiError";
import type { Client } from "./client";

export interface WatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: KubeObject;
}

interface RawEvent {
  readonly type: WatchEvent["type"] | "ERROR";
  readonly object: KubeObject;
}

/** Time after the end of a watch in which the API server closes it; without that, the server is gone. */
const GRACE_MS = 10_000;

/**
 * Yields all objects there are, then what changes, for `seconds`. As it begins with all objects, a caller that watches
 * again needs to remember no version, and none can be too old. Throws if the API server refuses or ends the watch.
 */
export async function* watch(
  { connection, discovery }: Pick<Client, "connection" | "discovery">,
  ref: Omit<Ref, "name">,
  { seconds, signal }: { readonly seconds: number; readonly signal: AbortSignal },
): AsyncGenerator<WatchEvent> {
  const action = `could not watch ${ref.kind} objects in ${ref.namespace ?? "the cluster"}`;
  const path = `${await discovery.path({ ...ref, name: "" })}?watch=true&timeoutSeconds=${seconds}`;
  const until = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000 + GRACE_MS)]);
  const response = await connection.stream({ method: "GET", path, signal: until });
  const { statusCode = 0 } = response;
  if (statusCode !== 200) throw apiError(action, statusCode, await text(response));
  for await (const line of linesOf(response)) {
    const { type, object } = JSON.parse(line) as RawEvent;
    if (type === "ERROR") throw apiError(action, numberAt(object, "code") ?? 500, JSON.stringify(object));
    yield { type, object };
  }
}

/** The lines of a text in UTF-8 that comes in parts. */
async function* linesOf(parts: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  for await (const part of parts) {
    const lines = (rest + decoder.write(part)).split("\n");
    rest = lines.pop() ?? "";
    yield* lines.filter((line) => line !== "");
  }
}
