/**
 * Identifies the instance of a set or release that an object belongs to. Labels contain only its name, and another
 * instance may have the same name: one that replaces it, or one of another stack. So each instance annotates what it
 * applies with a random id, and never deletes an object with the id of another one.
 */

import { createHash, randomUUID } from "node:crypto";
import type { Origin, Properties } from "../../foundation/pulumi/resource";
import { printable } from "../../foundation/text/printable";
import { without, type KubeObject } from "../objects/objects";

export const OWNER_ANNOTATION = "stackyard.dev/owner-id";

export const newOwnerId = (): string => randomUUID();

/**
 * The id of a new instance, chosen before it is created. An existing instance keeps its id, also an adopted one. An
 * instance that predates ids gets none.
 */
export function instanceOf(origin: Origin | undefined, adopt?: unknown): unknown {
  if (origin === undefined) return undefined;
  const { old, seed } = origin;
  if (Object.keys(old).length === 0 && typeof adopt === "string") return adopt;
  return Object.keys(old).length > 0 || seed === "" ? old["instance"] : Buffer.from(seed, "base64").toString("hex");
}

/** Adds that id to checked inputs. */
export function withInstance<C extends { readonly inputs: Properties }>(checked: C, origin: Origin | undefined): C {
  const instance = instanceOf(origin, checked.inputs["adopt"]);
  return instance === undefined ? checked : { ...checked, inputs: { ...checked.inputs, instance } };
}

/**
 * The id of an instance: the one in its state, or else one derived from its URN and id, which its next update assigns.
 * Because it is derived, objects of an interrupted update are recognized.
 */
export const ownerIdOf = (urn: string, id: string, state: { readonly ownerId?: string }): string =>
  state.ownerId ??
  createHash("sha256")
    .update(JSON.stringify([urn, id]))
    .digest("hex")
    .slice(0, 32);

/** The id on a live object; undefined if the object predates ids. */
export function ownerIdOn({ metadata }: Pick<KubeObject, "metadata">): string | undefined {
  const id = metadata.annotations?.[OWNER_ANNOTATION];
  return id === undefined ? undefined : printable(id);
}

/** Adds the id to an object. Without an id, returns the object unchanged. */
export function withOwnerId<T extends KubeObject>(object: T, ownerId: string | undefined): T {
  if (ownerId === undefined) return object;
  const { metadata } = object;
  return {
    ...object,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [OWNER_ANNOTATION]: ownerId } },
  };
}

/** Removes the id, which is not part of the desired state. */
export function withoutOwnerId<T extends KubeObject>(object: T): T {
  const { annotations } = object.metadata;
  if (annotations?.[OWNER_ANNOTATION] === undefined) return object;
  const rest = without({ ...annotations }, OWNER_ANNOTATION);
  const metadata = without(object.metadata, "annotations");
  return { ...object, metadata: Object.keys(rest).length === 0 ? metadata : { ...metadata, annotations: rest } };
}
