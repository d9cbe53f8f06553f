import { labelWithHash, shortHash } from "../../foundation/text/legalName";

/** Names of a runtime's objects, as templates see them in `.Names`. All are legal DNS-1123 labels. */
export interface RuntimeNames {
  readonly HTTPIngress: string;
  readonly GRPCIngress: string;
  readonly Service: string;
  readonly StatefulSet: string;
  readonly Deployment: string;
  readonly PVC: string;
}

/** What a deployment's id may be. */
export const DEPLOYMENT_ID = /^[A-Za-z0-9._-]{1,100}$/;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const LABEL = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
/** What a UUID without its dashes looks like, and what an altered id ends in: no kept id may look like either. */
const BARE_UUID = /^[0-9a-f]{32}$/;
const ALTERED = /-[0-9a-f]{16}$/;

/** `runtime-<id>` must stay within the 52 characters that a StatefulSet has, since its pods' revision label adds 11. */
const LONGEST_ID = 40;
const HASH_LENGTH = 16;

/**
 * The id of a deployment as its objects carry it, at most 40 characters of a DNS-1123 label: a UUID without its dashes,
 * any other legal id as it is, everything else made legal and distinguished by a hash. Distinct ids give distinct results.
 */
export function provisionId(id: string): string {
  if (UUID.test(id)) return id.replaceAll("-", "");
  if (id.length <= LONGEST_ID && LABEL.test(id) && !BARE_UUID.test(id) && !ALTERED.test(id)) return id;
  return labelWithHash({ text: id, whole: id, hashLength: HASH_LENGTH, longest: LONGEST_ID, empty: "x" });
}

/** Names of the objects of the runtime with this provision id. */
export function runtimeNames(provision: string): RuntimeNames {
  const name = `runtime-${provision}`;
  return {
    HTTPIngress: `http-${name}`,
    GRPCIngress: `grpc-${name}`,
    Service: name,
    StatefulSet: name,
    Deployment: name,
    PVC: name,
  };
}

/** Name of the resources at a place: the same place gives the same name, so that a change there is made in place. */
export function locationName(type: string, ...place: readonly string[]): string {
  return `${type}-${shortHash(JSON.stringify(place), 10)}`;
}
