/** Lists why a set can't be created or updated. */

import { lacksRight, isMissingNamespace, type ApiError } from "../client/apiError";
import { describe, parseInventoryKey, type Ref } from "../objects/objects";

const SHOWN = 20;

/** Faults that were found before or during a change. */
export class FaultsError extends Error {
  constructor(
    what: string,
    readonly faults: readonly string[],
  ) {
    const unique = [...new Set(faults)];
    const more = unique.length > SHOWN ? [`… and ${unique.length - SHOWN} more`] : [];
    super(
      unique.length === 1 ? `${unique[0]} (${what})` : [`${what}:`, ...unique.slice(0, SHOWN), ...more].join("\n  - "),
    );
    this.name = "FaultsError";
  }
}

/** The API server's error about an object, with advice for common causes. */
export function explain(error: ApiError, ref: Ref): string {
  if (isMissingNamespace(error)) return missingNamespace(ref);
  const said = ref.kind === "Secret" ? withoutValues(error) : error.message.replace(/^could not \w+ /, "");
  return `${ref.kind === "Secret" || !said.startsWith(describe(ref)) ? `${describe(ref)}: ` : ""}${said}${advice(error, ref)}`;
}

export const missingNamespace = ({ namespace = "" }: Ref): string =>
  `namespace ${namespace} does not exist; make it first (kubectl create namespace ${namespace}), ` +
  "or put a Namespace object before the others";

/** Omits messages about the fields of a Secret, because they may quote its values. */
function withoutValues(error: ApiError): string {
  const fields = error.causes.map(({ field, reason }) => `${field} (${reason})`);
  return `the API server refused it: ${fields.length > 0 ? fields.join(", ") : error.reason || `HTTP ${error.code}`}`;
}

function advice(error: ApiError, ref: Ref): string {
  const place = ref.namespace === undefined ? "" : ` -n ${ref.namespace}`;
  if (
    error.code === 422 &&
    /immutable|may not be changed|updates to \w+ spec for fields other than/.test(error.message)
  ) {
    // Advising to delete these would delete their data.
    if (ref.kind === "PersistentVolumeClaim" || ref.kind === "StatefulSet") {
      return ". The existing object can't be changed like that; use its present values, or give the object another name";
    }
    const resource = `${ref.kind.toLowerCase()} ${ref.name}`;
    return `. The existing object can't be changed like that; give the object another name, or delete it first: kubectl${place} delete ${resource}`;
  }
  if (lacksRight(error)) {
    return ". The kubeconfig's user lacks this right; grant it with a Role, or use another user";
  }
  return "";
}

/** Maximum number of objects to name. */
const SHOWN_OBJECTS = 12;

/** Describes an incomplete update. `there`: inventory keys of the objects that were applied, or may have been. */
export function incompleteMessage(error: unknown, there: readonly string[]): string {
  const stopped = error instanceof Error && error.name === "AbortError";
  const why = stopped
    ? "stopped, because the update was canceled"
    : error instanceof Error
      ? error.message
      : String(error);
  if (there.length === 0) return why;
  const shown = there.slice(0, SHOWN_OBJECTS).map((key) => describe(parseInventoryKey(key)));
  const more = there.length > shown.length ? ` and ${there.length - shown.length} more` : "";
  return `${why}\nCreated objects stay for the next update: ${shown.join(", ")}${more}`;
}
