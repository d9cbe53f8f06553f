/** Events of an object. */

import type { Client } from "../client/client";
import { textAt, type KubeObject } from "../objects/objects";

/** Events of one object, newest first. */
export async function eventsOf(client: Client, { metadata }: KubeObject): Promise<KubeObject[]> {
  const field = `involvedObject.uid=${metadata.uid}`;
  // Events of cluster-scoped objects are in this namespace.
  const { namespace = "default" } = metadata;
  const events = await client.list({ apiVersion: "v1", kind: "Event", namespace }, { field });
  return events.sort((a, b) => timeOf(b).localeCompare(timeOf(a)));
}

/** The message of the newest event with one of these reasons. */
export const eventWith = (events: readonly KubeObject[], ...reasons: readonly string[]): string | undefined => {
  const found = events.find((event) => reasons.includes(textAt(event, "reason") ?? ""));
  return found && textAt(found, "message");
};

/** The message of the newest warning. */
export const warningIn = (events: readonly KubeObject[]): string | undefined => {
  const found = events.find(({ type }) => type === "Warning");
  return found && `${textAt(found, "message") ?? ""} (${textAt(found, "reason")})`;
};

/** Reasons of the KubeRay operator, which it also has for mere warnings. */
const REFUSED = ["InvalidRayClusterSpec", "InvalidRayClusterMetadata"];

/** Why an operator leaves the object as it is until it changes; events about earlier versions of it don't count. */
export function refusalIn(events: readonly KubeObject[], { metadata }: KubeObject): string | undefined {
  const found = events.find(
    (event) =>
      REFUSED.includes(textAt(event, "reason") ?? "") &&
      / is invalid /.test(textAt(event, "message") ?? "") &&
      textAt(event, "involvedObject", "resourceVersion") === metadata.resourceVersion,
  );
  return found && textAt(found, "message");
}

function timeOf(event: KubeObject): string {
  return (
    textAt(event, "series", "lastObservedTime") ??
    textAt(event, "lastTimestamp") ??
    textAt(event, "eventTime") ??
    event.metadata.creationTimestamp ??
    ""
  );
}
