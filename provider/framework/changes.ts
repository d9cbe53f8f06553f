/** Encodes differences for the engine. */

import { status } from "@grpc/grpc-js";
import { DiffResponse, PropertyDiff } from "../../foundation/pulumi/protocol/plugin";
import { protocolError } from "./errors";
import type { ChangeKind, Difference } from "../../foundation/pulumi/resource";

const KINDS: Record<ChangeKind, PropertyDiff.Kind> = {
  add: PropertyDiff.Kind.ADD,
  "add-replace": PropertyDiff.Kind.ADD_REPLACE,
  delete: PropertyDiff.Kind.DELETE,
  "delete-replace": PropertyDiff.Kind.DELETE_REPLACE,
  update: PropertyDiff.Kind.UPDATE,
  "update-replace": PropertyDiff.Kind.UPDATE_REPLACE,
};

/**
 * Encodes a difference in the three forms that the engine requires: in detail, as top-level names, and as names that
 * force a replacement.
 */
export function encodeDifference(difference: Difference): DiffResponse {
  const response = new DiffResponse();
  const entries = Object.entries(difference.changes);
  const top = (paths: [string, ChangeKind][]) => [...new Set(paths.map(([path]) => topLevel(path)))];
  response.setChanges(entries.length === 0 ? DiffResponse.DiffChanges.DIFF_NONE : DiffResponse.DiffChanges.DIFF_SOME);
  response.setDiffsList(top(entries));
  response.setReplacesList(top(entries.filter(([, kind]) => kind.endsWith("-replace"))));
  response.setDeletebeforereplace(difference.deleteBeforeReplace ?? false);
  response.setHasdetaileddiff(true);
  for (const [path, kind] of entries) {
    response.getDetaileddiffMap().set(path, new PropertyDiff().setKind(KINDS[kind]).setInputdiff(true));
  }
  return response;
}

/** Returns the top-level key of a path: `hosts[2].slots` gives `hosts`. */
function topLevel(path: string): string {
  const quoted = /^\["((?:[^"\\]|\\.)*)"\]/.exec(path);
  if (quoted) return JSON.parse(`"${quoted[1]}"`) as string;
  const plain = /^[^.[]+/.exec(path);
  if (!plain)
    throw protocolError(status.INTERNAL, `a difference has the path ${JSON.stringify(path)}, which names no property`);
  return plain[0];
}
