/** Foreign resources that a bundle uses: identities, secrets, data, namespaces. */

import { groupOf, isCore, listAt, textAt, type KubeObject } from "../../kubernetes/objects/objects";
import { isStatefulSet } from "../../kubernetes/claims/claims";
import { agentsOf } from "./effects/agents";
import { aimsAtOthers, openedPods } from "./aims";
import { actsOf, contentHash, isKnown, readersOf, referencesOf } from "./effects/effects";
import { isNetworkPolicy, networkAccess } from "./network";
import { kindsIn, kindTitle } from "./place";
import { parametersIn } from "./params";
import { containersOf, podSpecsIn } from "./pods";
import type { Json } from "../../foundation/json/isObject";

interface Place {
  /** Services of others in the cluster. */
  readonly services: readonly KubeObject[];
  /** NetworkPolicies of others. */
  readonly policies: readonly KubeObject[];
  /** Workloads of others. */
  readonly workloads: readonly KubeObject[];
  /** See Around. */
  readonly claims: ReadonlyMap<string, readonly string[]>;
  /** What is known of kinds without a rule, by `apiVersion/Kind`. */
  readonly controllers: ReadonlyMap<string, string>;
  /** Undefined for cluster-scoped objects. */
  readonly namespaceOf: (object: KubeObject) => string | undefined;
  readonly titleOf: (object: KubeObject, kind?: string) => string;
}

/** Returns texts. `namespace`: the bundle's namespace. */
export function usedOfOthers(
  objects: readonly KubeObject[],
  namespace: string,
  { namespaceOf, titleOf, services, controllers, policies, claims, workloads }: Place,
): string[] {
  const keyOf = (kind: string, place: string | undefined, name: string) => `${kind} ${place ?? namespace}/${name}`;
  // All foreign resources considered here are in the core group.
  const core = objects.filter(({ apiVersion }) => groupOf(apiVersion) === "");
  const own = new Set(core.map((object) => keyOf(object.kind, namespaceOf(object), object.metadata.name)));
  const namespaces = new Set(core.filter((one) => isCore(one, "Namespace")).map(({ metadata }) => metadata.name));
  const defined = kindsIn(objects);
  const foreign = (verb: string, kind: string, place: string | undefined, names: readonly string[]): string[] =>
    names
      .filter((name) => !own.has(keyOf(kind, CLUSTER.has(kind) ? undefined : place, name)))
      .filter((name) => kind !== "Namespace" || name !== place)
      .map((name) => `${verb} ${CLUSTER.has(kind) ? `${kind} ${name}` : keyOf(kind, place, name)}`);
  const priorities = new Set(objects.filter((one) => one.kind === "PriorityClass").map((one) => one.metadata.name));
  const isParameter = parametersIn(objects, namespaceOf);
  const withContent = (object: KubeObject): string =>
    `${titleOf(object, kindTitle(object))} (content ${contentHash(object)})`;
  const aim = { namespaceOf, services, policies, workloads };
  const aims = aimsAtOthers(objects, aim).map(([object, what]) => `${titleOf(object)}: ${what}`);
  const used = objects.flatMap((object) => {
    const place = namespaceOf(object);
    const uses = [
      ...podSpecsIn(object).flatMap((spec) => [
        ...foreign("runs as", "ServiceAccount", place, accountsOf(spec)),
        ...foreign("reads", "Secret", place, secretsOf(spec)),
        ...foreign("reads", "ConfigMap", place, configMapsOf(spec)),
        ...foreign("uses", "PersistentVolumeClaim", place, claimsOf(spec)),
        ...priorityOf(spec, priorities),
      ]),
      ...referencesOf(object).flatMap(({ verb, kind, name, again }) =>
        foreign(verb, kind, place, [name]).map((what) => (again ? `${what} (content ${contentHash(object)})` : what)),
      ),
      ...agentsOf(object),
      ...(object.metadata.ownerReferences ?? []).map(({ kind, name }) => `becomes a part of ${kind} ${name}`),
      ...foreign("reads", "Secret", place, secretsBeside(object)),
      ...foreign("has a token of", "ServiceAccount", place, tokensOf(object)),
      ...(claims.get(`${place}/${object.metadata.name}`) ?? [])
        .filter(() => isStatefulSet(object))
        .map((name) => `takes over PersistentVolumeClaim ${name}`),
      ...networkAccess(object, isNetworkPolicy(object) ? openedPods(object, objects, aim) : "own"),
    ].map((what) => `${titleOf(object)}: ${what}`);
    const away = place !== undefined && place !== namespace && !namespaces.has(place);
    const key = `${object.apiVersion}/${object.kind}`;
    const isOwnKind = defined.has(key);
    const unknown = [controllers.get(key) ?? UNKNOWN];
    const acts = [
      ...(isKnown(object) || isOwnKind ? actsOf(object) : unknown),
      ...readersOf(object, place),
      ...(isParameter(object) ? ["is a parameter of an admission policy"] : []),
    ].map((what) => `${withContent(object)}: ${what}`);
    const isData = isCore(object, "ConfigMap") || isCore(object, "Secret");
    // Data in another namespace is there for others to read.
    const there = isData ? withContent(object) : titleOf(object);
    return [...acts, ...uses, ...(away ? [`${there}: is in a namespace of others`] : [])];
  });
  return [...aims, ...used];
}

/** Of a kind that the bundle does not define, and about which nothing is known. */
const UNKNOWN = "does whatever the controller of its kind may do";

/** Kinds that rules refer to, and that have no namespace. */
const CLUSTER: ReadonlySet<string> = new Set(["Namespace", "PersistentVolume"]);

/** Classes of the cluster decide whose place pods take; those of Kubernetes are access to the node. */
const priorityOf = (spec: Json, own: ReadonlySet<string>): string[] =>
  [textAt(spec, "priorityClassName") ?? ""]
    .filter((name) => name !== "" && !name.startsWith("system-") && !own.has(name))
    .map((name) => `may evict other pods (PriorityClass ${name})`);

/** Pods without a service account use `default`. */
const accountsOf = (spec: Json): string[] =>
  [textAt(spec, "serviceAccountName") ?? textAt(spec, "serviceAccount")].filter(
    (name): name is string => name !== undefined && name !== "" && name !== "default",
  );

function secretsOf(spec: Json): string[] {
  const images = listAt(spec, "imagePullSecrets").flatMap((one) => textAt(one, "name") ?? []);
  return [...readIn(spec, "secret", "secretName"), ...images];
}

/** ConfigMaps that every namespace has. */
const EVERYWHERE = /^(kube-root-ca|openshift-service-ca)\.crt$/;

const configMapsOf = (spec: Json): string[] =>
  readIn(spec, "configMap", "name").filter((name) => !EVERYWHERE.test(name));

/** Names of Secrets or ConfigMaps that containers and volumes read. `volumeName`: the key of the name in a volume. */
function readIn(spec: Json, kind: "secret" | "configMap", volumeName: string): string[] {
  // A structure that looks like a part of a pod spec may be a container.
  const environments = [spec, ...containersOf(spec)].flatMap((container) => [
    ...listAt(container, "env").map((one) => textAt(one, "valueFrom", `${kind}KeyRef`, "name")),
    ...listAt(container, "envFrom").map((one) => textAt(one, `${kind}Ref`, "name")),
  ]);
  const volumes = listAt(spec, "volumes").flatMap((volume) => [
    textAt(volume, kind, volumeName),
    ...listAt(volume["projected"], "sources").map((source) => textAt(source, kind, "name")),
  ]);
  return [...environments, ...volumes].filter((name) => name !== undefined);
}

/** Secrets of service accounts, and TLS secrets. */
function secretsBeside(object: KubeObject): string[] {
  const names = isCore(object, "ServiceAccount")
    ? ["imagePullSecrets", "secrets"].flatMap((key) => listAt(object, key).map((one) => textAt(one, "name")))
    : groupOf(object.apiVersion) === "networking.k8s.io" && object.kind === "Ingress"
      ? listAt(object, "spec", "tls").map((one) => textAt(one, "secretName"))
      : groupOf(object.apiVersion) === "gateway.networking.k8s.io"
        ? listAt(object, "spec", "listeners").flatMap((one) =>
            listAt(one, "tls", "certificateRefs")
              .filter((ref) => (textAt(ref, "kind") ?? "Secret") === "Secret")
              .map((ref) => textAt(ref, "name")),
          )
        : [];
  return names.filter((name) => name !== undefined);
}

const claimsOf = (spec: Json): string[] =>
  listAt(spec, "volumes").flatMap((volume) => textAt(volume, "persistentVolumeClaim", "claimName") ?? []);

function tokensOf(object: KubeObject): string[] {
  const account = object.metadata.annotations?.["kubernetes.io/service-account.name"];
  const isToken = isCore(object, "Secret") && object["type"] === "kubernetes.io/service-account-token";
  return isToken && account !== undefined ? [account] : [];
}
