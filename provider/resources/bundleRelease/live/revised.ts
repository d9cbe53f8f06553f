/** Kinds whose definition an update changes: until that is done, the API server speaks of their objects by the old one. */

import { ApiError } from "../../../../kubernetes/client/apiError";
import { textAt } from "../../../../kubernetes/client/objects";
import type { KubeObject } from "../../../../kubernetes/client/objects";
import { groupKind } from "./applySet";
import { isCrd } from "../wanted/order";
import { isObject, type Json } from "../../../../foundation/json/isObject";

/** As {@link groupKind} spells them. */
export function kindsDefinedBy(objects: readonly KubeObject[]): ReadonlySet<string> {
  const crds = objects.filter(isCrd);
  return new Set(
    crds.map((crd) => {
      const [group, kind] = [textAt(crd, "spec", "group") ?? "", textAt(crd, "spec", "names", "kind") ?? ""];
      return groupKind({ apiVersion: `${group}/v1`, kind });
    }),
  );
}

/** The object does not fit the schema that the server has. */
export const isInvalid = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.code === 422 || error.code === 400);

/** The object that exists with the fields that are wanted, for a comparison; lists are those that are wanted. */
export const overlaid = (live: KubeObject, wanted: KubeObject): KubeObject => merged(live, wanted) as KubeObject;

function merged(old: unknown, next: unknown): unknown {
  if (!isObject(old) || !isObject(next)) return next;
  const result: Json = { ...old };
  for (const [key, value] of Object.entries(next)) result[key] = merged(old[key], value);
  return result;
}
