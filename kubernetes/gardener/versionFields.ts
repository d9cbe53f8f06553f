/**
 * Fields of a Shoot that depend on its version of Kubernetes. The product describes a Shoot by the fields that came
 * first, for every version; Gardener replaced some of them, and rejects the old ones from a version on. Copied from the
 * validation of Gardener v1.121 to v1.149. Pure.
 */

import { isObject, type Json } from "../../foundation/json/isObject";
import { at, listAt, objectAt, textAt, without, type KubeObject } from "../objects/objects";
import { authenticationName, authenticationOf, hasAuthentication, oidcOf } from "./authentication";

/** The first minor version of Kubernetes without a field. */
const REMOVED = {
  privilegedContainers: 25,
  staticTokenKubeconfig: 27,
  oidcConfig: 32,
  /** Gardener knows access restrictions since before it had this version. */
  euAccessAnnotation: 32,
  bindingAndProfileName: 34,
  dnsSecretName: 35,
} as const;

export const EU_ACCESS_ANNOTATION = "support.gardener.cloud/eu-access-for-cluster-nodes";
const EU_ACCESS = "eu-access-only";

const API_SERVER = ["spec", "kubernetes", "kubeAPIServer"] as const;

/** The OIDC providers of a described Shoot. The list is no field of Gardener. */
const providersOf = (apiServer: Json): Json[] => [
  ...(isObject(apiServer["oidcConfig"]) ? [apiServer["oidcConfig"]] : []),
  ...listAt(apiServer, "additionalOidcConfig"),
];

const minorOf = (shoot: KubeObject): number =>
  Number((textAt(shoot, "spec", "kubernetes", "version") ?? "").split(".")[1] ?? Number.NaN);

/** A Shoot, and the ConfigMap that its structured authentication names. */
export interface WithAuthentication {
  readonly shoot: KubeObject;
  readonly configMap?: KubeObject | undefined;
}

/**
 * The Shoot for Gardener. Fields that the existing one has in a newer form than its version needs keep that form.
 * `configMap` has to be applied before the Shoot; undefined if the existing one has that content.
 */
export function forVersion(described: KubeObject, existing?: WithAuthentication): WithAuthentication {
  const minor = minorOf(described);
  const spec = objectAt(described, "spec");
  const live = existing?.shoot;
  const { kubernetes, configMap } = kubernetesFor(described, minor, existing);
  const { annotations = {} } = described.metadata;
  const hasEuAccess = minor >= REMOVED.euAccessAnnotation && annotations[EU_ACCESS_ANNOTATION] === "true";
  const shoot: KubeObject = {
    ...described,
    metadata: {
      ...described.metadata,
      ...(hasEuAccess && { annotations: without(annotations, EU_ACCESS_ANNOTATION) as Record<string, string> }),
    },
    spec: {
      ...without(spec, "cloudProfileName", "secretBindingName"),
      ...profileFor(spec, minor, live),
      ...bindingFor(spec, minor, live),
      kubernetes,
      ...(isObject(spec["dns"]) && { dns: dnsFor(spec["dns"], minor) }),
      ...(hasEuAccess && { accessRestrictions: restrictionsFor(spec, live) }),
    },
  };
  return { shoot, ...(configMap && { configMap }) };
}

/** The existing Shoot as the product describes it. `wanted`: the described Shoot that it is compared with. */
export function asDescribed({ shoot: live, configMap }: WithAuthentication, wanted?: KubeObject): KubeObject {
  const spec = objectAt(live, "spec");
  const kubernetes = objectAt(spec, "kubernetes");
  const apiServer = objectAt(kubernetes, "kubeAPIServer");
  const [oidcConfig, ...more] = (configMap && oidcOf(configMap, providersOf(objectAt(wanted, ...API_SERVER)))) ?? [];
  const providers = { oidcConfig, ...(more.length > 0 && { additionalOidcConfig: more }) };
  const restrictions = listAt(spec, "accessRestrictions");
  const others = restrictions.filter(({ name }) => name !== EU_ACCESS);
  const hasEuAccess = others.length < restrictions.length;
  const profile = textAt(spec, "cloudProfile", "name");
  return {
    ...live,
    metadata: {
      ...live.metadata,
      ...(hasEuAccess && { annotations: { ...live.metadata.annotations, [EU_ACCESS_ANNOTATION]: "true" } }),
    },
    spec: {
      ...without(spec, "cloudProfile", ...(hasEuAccess ? ["accessRestrictions"] : [])),
      ...(profile !== undefined && { cloudProfileName: profile }),
      ...bindingAsDescribed(spec, wanted),
      ...(others.length > 0 && { accessRestrictions: others }),
      kubernetes: {
        ...kubernetes,
        ...(minorOf(live) >= REMOVED.staticTokenKubeconfig && { enableStaticTokenKubeconfig: false }),
        ...(oidcConfig && { kubeAPIServer: { ...without(apiServer, "structuredAuthentication"), ...providers } }),
      },
      ...(isObject(spec["dns"]) && { dns: dnsAsDescribed(spec["dns"]) }),
    },
  };
}

/** Name of the ConfigMap with a Shoot's authentication; undefined if it has none. */
export const authenticationIn = (shoot: KubeObject): string | undefined =>
  textAt(shoot, "spec", "kubernetes", "kubeAPIServer", "structuredAuthentication", "configMapName");

/** The Shoot for a dry run, in which Gardener would not find the ConfigMap. */
export function withoutAuthentication(shoot: KubeObject): KubeObject {
  const spec = objectAt(shoot, "spec");
  const kubernetes = objectAt(spec, "kubernetes");
  const kubeAPIServer = without(objectAt(kubernetes, "kubeAPIServer"), "structuredAuthentication");
  return { ...shoot, spec: { ...spec, kubernetes: { ...kubernetes, kubeAPIServer } } };
}

function kubernetesFor(
  shoot: KubeObject,
  minor: number,
  existing: WithAuthentication | undefined,
): { readonly kubernetes: Json; readonly configMap?: KubeObject } {
  const removed = [
    ...(minor >= REMOVED.privilegedContainers ? ["allowPrivilegedContainers"] : []),
    ...(minor >= REMOVED.staticTokenKubeconfig ? ["enableStaticTokenKubeconfig"] : []),
  ];
  const kubernetes = without(objectAt(shoot, "spec", "kubernetes"), ...removed);
  const apiServer = objectAt(kubernetes, "kubeAPIServer");
  const providers = providersOf(apiServer);
  if (providers.length === 0 || minor < REMOVED.oidcConfig) return { kubernetes };
  const configMap = authenticationOf(shoot, providers);
  const isSame = existing?.configMap !== undefined && hasAuthentication(existing.configMap, configMap);
  const configMapName = (isSame && authenticationIn(existing.shoot)) || authenticationName(shoot);
  const structuredAuthentication = { configMapName };
  const others = without(apiServer, "oidcConfig", "additionalOidcConfig");
  return {
    kubernetes: { ...kubernetes, kubeAPIServer: { ...others, structuredAuthentication } },
    ...(!isSame && { configMap }),
  };
}

/** A CloudProfile of the project is kept; the product knows only those of the garden. */
function profileFor(spec: Json, minor: number, live: KubeObject | undefined): Json {
  const name = spec["cloudProfileName"];
  const there = at(live, "spec", "cloudProfile");
  if (isObject(there) && there["name"] === name && there["kind"] !== "CloudProfile") return { cloudProfile: there };
  if (minor >= REMOVED.bindingAndProfileName) return { cloudProfile: { kind: "CloudProfile", name } };
  return { cloudProfileName: name };
}

/** Gardener lets a Shoot change from a SecretBinding to a CredentialsBinding, and not back. */
function bindingFor(spec: Json, minor: number, live: KubeObject | undefined): Json {
  const name = spec["secretBindingName"];
  if (name === undefined) return {};
  const isNew = minor >= REMOVED.bindingAndProfileName || at(live, "spec", "credentialsBindingName") !== undefined;
  return isNew ? { credentialsBindingName: name } : { secretBindingName: name };
}

function bindingAsDescribed(spec: Json, wanted: KubeObject | undefined): Json {
  const name = spec["credentialsBindingName"];
  if (name === undefined || at(wanted, "spec", "credentialsBindingName") !== undefined) return {};
  return { secretBindingName: name, credentialsBindingName: undefined };
}

function restrictionsFor(spec: Json, live: KubeObject | undefined): Json[] {
  const there = listAt(live, "spec", "accessRestrictions");
  const placeOf = ({ name }: Json): number => there.findIndex((one) => one["name"] === name);
  const restriction = there.find(({ name }) => name === EU_ACCESS) ?? {
    name: EU_ACCESS,
    options: { [EU_ACCESS_ANNOTATION]: "true" },
  };
  return [...listAt(spec, "accessRestrictions"), restriction].sort((one, other) => placeOf(one) - placeOf(other));
}

function dnsFor(dns: Json, minor: number): Json {
  if (minor < REMOVED.dnsSecretName || dns["providers"] === undefined) return dns;
  const providers = listAt(dns, "providers").map((provider) => {
    const { secretName: name } = provider;
    if (name === undefined) return provider;
    return { ...without(provider, "secretName"), credentialsRef: { apiVersion: "v1", kind: "Secret", name } };
  });
  return { ...dns, providers };
}

/** Up to Kubernetes 1.34, Gardener sets both fields. */
function dnsAsDescribed(dns: Json): Json {
  if (dns["providers"] === undefined) return dns;
  const providers = listAt(dns, "providers").map((provider) => {
    const secret = at(provider, "credentialsRef");
    if (textAt(secret, "kind") !== "Secret") return provider;
    return { ...without(provider, "credentialsRef"), secretName: textAt(secret, "name") };
  });
  return { ...dns, providers };
}
