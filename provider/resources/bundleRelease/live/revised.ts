/** Kinds whose definition an update changes. Until then, the API server uses the old definition for their objects. */

import { ApiError } from "../../../../kubernetes/client/apiError";
import { textAt, isCrd, type KubeObject } from "../../../../kubernetes/objects/objects";
import { groupKind } from "../applySet";

import { isObject, type Json } from "../../../../foundation/json/isObject";

/** In the format of {@link groupKind}. */
export function kindsDefinedBy(objects: readonly KubeObject[]): ReadonlySet<string> {
  const crds = objects.filter(isCrd);
  return new Set(
    crds.map((crd) => {
      const [group, kind] = [textAt(crd, "spec", "group") ?? "", textAt(crd, "spec", "names", "kind") ?? ""];
      return groupKind({ apiVersion: `${group}/v1`, kind });
    }),
  );
}

/** True if the object violates the server's schema. */
export const isInvalid = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.code === 422 || error.code === 400);

/** Returns the live object with the desired fields, for a comparison. Lists are replaced. */
export const overlaid = (live: KubeObject, wanted: KubeObject): KubeObject => merged(live, wanted) as KubeObject;

function merged(old: unknown, next: unknown): unknown {
  if (!isObject(old) || !isObject(next)) return next;
  const result: Json = { ...old };
  for (const [key, value] of Object.entries(next)) result[key] = merged(old[key], value);
  return result;
}
