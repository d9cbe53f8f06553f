/** The OIDC providers of a Shoot's API server as a ConfigMap, which Gardener takes from Kubernetes 1.32 on. Pure. */

import { withoutUndefined } from "../../foundation/json/withoutUndefined";
import { isDeepStrictEqual } from "node:util";
import { dump, load, YAMLException } from "js-yaml";
import { isObject, type Json } from "../../foundation/json/isObject";
import { at, listAt, textAt, type KubeObject, type Ref } from "../objects/objects";

const API = "apiserver.config.k8s.io/v1beta1";
const KIND = "AuthenticationConfiguration";
const KEY = "config.yaml";
/** A prefix of user names that stands for none. */
const NO_PREFIX = "-";

export const authenticationRef = (namespace: string | undefined, name: string): Ref => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  ...(namespace !== undefined && { namespace }),
  name,
});

/** Name of the ConfigMap of a Shoot. */
export const authenticationName = (shoot: KubeObject): string => `${shoot.metadata.name}-authentication`;

/** The ConfigMap with a Shoot's providers. `signingAlgs` has no equivalent: all algorithms count. */
export function authenticationOf(shoot: KubeObject, providers: readonly Json[]): KubeObject {
  const { namespace } = shoot.metadata;
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { ...(namespace !== undefined && { namespace }), name: authenticationName(shoot) },
    data: { [KEY]: dump({ apiVersion: API, kind: KIND, jwt: providers.map(jwtOf) }) },
  };
}

function jwtOf(oidc: Json): Json {
  const { clientID, groupsClaim, groupsPrefix = "", issuerURL, usernameClaim = "sub", usernamePrefix } = oidc;
  // Without a prefix, Kubernetes uses the issuer, except for email addresses.
  const byDefault = usernameClaim === "email" ? "" : `${String(issuerURL)}#`;
  const prefix = usernamePrefix === NO_PREFIX ? "" : (usernamePrefix ?? byDefault);
  const required = isObject(oidc["requiredClaims"]) ? Object.entries(oidc["requiredClaims"]) : [];
  return {
    issuer: withoutUndefined({ url: issuerURL, audiences: [clientID], certificateAuthority: oidc["caBundle"] }),
    claimMappings: {
      username: { claim: usernameClaim, prefix },
      ...(groupsClaim !== undefined && { groups: { claim: groupsClaim, prefix: groupsPrefix } }),
    },
    ...(required.length > 0 && {
      claimValidationRules: required.map(([claim, requiredValue]) => ({ claim, requiredValue })),
    }),
  };
}

/**
 * The providers in such a ConfigMap; undefined if it has what they can't express. `wanted` if it has those: a ConfigMap
 * does not have all of their fields.
 */
export function oidcOf(configMap: KubeObject, wanted: readonly Json[] = []): readonly Json[] | undefined {
  const read = listAt(configIn(configMap), "jwt").map(providerOf);
  return [wanted, read].find(
    (providers) => providers.length > 0 && hasAuthentication(configMap, authenticationOf(configMap, providers)),
  );
}

function providerOf(jwt: Json): Json {
  const username = at(jwt, "claimMappings", "username");
  const groups = at(jwt, "claimMappings", "groups");
  const groupsPrefix = textAt(groups, "prefix") ?? "";
  return {
    clientID: at(jwt, "issuer", "audiences", 0),
    ...(groups !== undefined && { groupsClaim: textAt(groups, "claim") }),
    ...(groupsPrefix !== "" && { groupsPrefix }),
    issuerURL: textAt(jwt, "issuer", "url"),
    signingAlgs: ["RS256"],
    usernameClaim: textAt(username, "claim"),
    usernamePrefix: textAt(username, "prefix") || NO_PREFIX,
  };
}

/** Whether both ConfigMaps configure the same. */
export const hasAuthentication = (one: KubeObject, other: KubeObject): boolean =>
  isDeepStrictEqual(configIn(one), configIn(other));

/** Undefined if it is not valid YAML: somebody else wrote it, and Gardener reports it. */
function configIn(configMap: KubeObject): unknown {
  try {
    return load(textAt(configMap, "data", KEY) ?? "null");
  } catch (error) {
    if (error instanceof YAMLException) return undefined;
    throw error;
  }
}
