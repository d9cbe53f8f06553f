import { DIRECTOR_RULES } from "../../foundation/directorRules";
import { labelWithHash, shortHash } from "../../foundation/text/legalName";

/** Names of a runtime's objects: `.Names` in templates. All are valid DNS-1123 labels. */
export interface RuntimeNames {
  readonly HTTPIngress: string;
  readonly GRPCIngress: string;
  readonly Service: string;
  readonly StatefulSet: string;
  readonly Deployment: string;
  readonly PVC: string;
}

/** Valid ids of deployments. */
export const DEPLOYMENT_ID = /^[A-Za-z0-9._-]{1,100}$/;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const LABEL = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
/**
 * Patterns of a UUID without dashes and of an altered id. An id that matches either is always altered, so that results
 * stay distinct.
 */
const BARE_UUID = /^[0-9a-f]{32}$/;
const ALTERED = /-[0-9a-f]{16}$/;

/** `runtime-<id>` must fit into 52 characters: the revision label of a StatefulSet's pods has 63 and appends 11. */
const LONGEST_ID = 40;
const HASH_LENGTH = 16;

/**
 * Converts the id of a deployment to a DNS-1123 label of at most 40 characters for the names of its objects: a UUID
 * without its dashes, any other valid label unchanged, and everything else with replaced characters and a hash.
 * Distinct ids give distinct results.
 */
export function provisionId(id: string): string {
  if (UUID.test(id)) return id.replaceAll("-", "");
  if (id.length <= LONGEST_ID && LABEL.test(id) && !BARE_UUID.test(id) && !ALTERED.test(id)) return id;
  return labelWithHash({ text: id, whole: id, hashLength: HASH_LENGTH, longest: LONGEST_ID, empty: "x" });
}

const LONGEST_DIRECTOR_NAME = 36;

/** The default name of a runtime in a Director: the id, or what is legal of it with a hash. */
export function directorName(id: string): string {
  if (DIRECTOR_RULES.name.accepts(id)) return id;
  return labelWithHash({
    text: `runtime-${id}`,
    whole: id,
    hashLength: HASH_LENGTH,
    longest: LONGEST_DIRECTOR_NAME,
    empty: "runtime",
  });
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

/**
 * Name of the resources at a location. The same location gives the same name, so that changes there happen in place.
 */
export function locationName(type: string, ...place: readonly string[]): string {
  return `${type}-${shortHash(JSON.stringify(place), 10)}`;
}
