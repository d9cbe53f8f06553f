/** Events of an object. */

import type { Client } from "../client/client";
import { textAt } from "../client/objects";
import type { KubeObject } from "../client/objects";

/** Events of one object, newest first. */
export async function eventsOf(client: Client, { metadata }: KubeObject): Promise<KubeObject[]> {
  const field = `involvedObject.uid=${metadata.uid}`;
  const events = await client.list({ apiVersion: "v1", kind: "Event", namespace: metadata.namespace }, { field });
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

function timeOf(event: KubeObject): string {
  return (
    textAt(event, "series", "lastObservedTime") ??
    textAt(event, "lastTimestamp") ??
    textAt(event, "eventTime") ??
    event.metadata.creationTimestamp ??
    ""
  );
}
