/**
 * Which instance of a set or release an object is of. Labels say what it is called, and another instance may be called the
 * same: one that replaces it, or one of another stack. So each writes a random id on what it applies, and deletes nothing
 * that has another one's id by then.
 */

import { createHash, randomUUID } from "node:crypto";
import type { Origin } from "../../foundation/pulumi/resource";
import { without } from "../client/objects";
import type { KubeObject } from "../client/objects";

export const OWNER_ANNOTATION = "stackyard.dev/owner-id";

export const newOwnerId = (): string => randomUUID();

/**
 * The id of an instance, chosen before it is made. It keeps the one that it was made with, or adopted with; one that was made before
 * there were any gets none.
 */
export function instanceOf(origin: Origin | undefined, adopt?: unknown): unknown {
  if (origin === undefined) return undefined;
  const { old, seed } = origin;
  if (Object.keys(old).length === 0 && typeof adopt === "string") return adopt;
  return Object.keys(old).length > 0 || seed === "" ? old["instance"] : Buffer.from(seed, "base64").toString("hex");
}

/**
 * The id of an instance: that in its state, else the one that its next update gives it. The latter follows from what is
 * known of it already, so that what a killed update left behind is known to be its own.
 */
export const ownerIdOf = (urn: string, id: string, state: { readonly ownerId?: string }): string =>
  state.ownerId ??
  createHash("sha256")
    .update(JSON.stringify([urn, id]))
    .digest("hex")
    .slice(0, 32);

/** The id that a live object has; undefined for one that was applied before there were ids. */
export const ownerIdOn = ({ metadata }: Pick<KubeObject, "metadata">): string | undefined =>
  metadata.annotations?.[OWNER_ANNOTATION];

/** The object as an instance applies it. Without an id it is as it was given. */
export function withOwnerId<T extends KubeObject>(object: T, ownerId: string | undefined): T {
  if (ownerId === undefined) return object;
  const { metadata } = object;
  return {
    ...object,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [OWNER_ANNOTATION]: ownerId } },
  };
}

/** The object without the id, which is not part of its desired state. */
export function withoutOwnerId<T extends KubeObject>(object: T): T {
  const { annotations } = object.metadata;
  if (annotations?.[OWNER_ANNOTATION] === undefined) return object;
  const rest = without({ ...annotations }, OWNER_ANNOTATION);
  const metadata = without(object.metadata, "annotations");
  return { ...object, metadata: Object.keys(rest).length === 0 ? metadata : { ...metadata, annotations: rest } };
}
