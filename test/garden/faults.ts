/** Shoots that Gardener refuses: each is one of the product's with one value changed. */

import { forVersion } from "../../kubernetes/gardener/versionFields";
import type { KubeObject } from "../../kubernetes/objects/objects";
import { CLOUDS, oidcConfig } from "./cases";
import { shootFor } from "./product";

type Path = readonly (string | number)[];

const POOL = ["spec", "provider", "workers", 0] as const;
const API_SERVER = ["spec", "kubernetes", "kubeAPIServer"] as const;

/** What is wrong, with the path and the value. */
const VALUES: Readonly<Record<string, readonly [Path, unknown]>> = {
  "a static token": [["spec", "kubernetes", "enableStaticTokenKubeconfig"], false],
  "OIDC in the Shoot": [[...API_SERVER, "oidcConfig"], oidcConfig],
  "privileged containers": [["spec", "kubernetes", "allowPrivilegedContainers"], true],
  "a field of nobody": [["spec", "colour"], "red"],
  "a machine of nobody": [[...POOL, "machine", "type"], "m1.huge"],
  "an image of nobody": [[...POOL, "machine", "image"], { name: "windows", version: "1.0.0" }],
  "a version of the image of nobody": [[...POOL, "machine", "image"], { name: "gardenlinux", version: "1.0.0" }],
  "a disk of nobody": [[...POOL, "volume"], { type: "tape", size: "50Gi" }],
  "a size that is none": [[...POOL, "volume"], { type: "pd-ssd", size: "large" }],
  "a zone of nobody": [[...POOL, "zones"], ["europe-west3-z"]],
  "a zone twice": [
    [...POOL, "zones"],
    ["europe-west3-a", "europe-west3-a"],
  ],
  "a region of nobody": [["spec", "region"], "mars"],
  "a version of nobody": [["spec", "kubernetes", "version"], "1.33.99"],
  "an unsupported version": [["spec", "kubernetes", "version"], "1.31.12"],
  "a CloudProfile that is not there": [["spec", "cloudProfileName"], "none"],
  "a binding that is not there": [["spec", "secretBindingName"], "none"],
  "two bindings": [["spec", "credentialsBindingName"], "gcp"],
  "a ConfigMap that is not there": [[...API_SERVER, "structuredAuthentication"], { configMapName: "none" }],
  "an audit policy that is not there": [
    [...API_SERVER, "auditConfig"],
    { auditPolicy: { configMapRef: { name: "none" } } },
  ],
  "a class that is not there": [["spec", "exposureClassName"], "none"],
  "a Seed that is not there": [["spec", "seedName"], "none"],
  "fewer nodes at most": [[...POOL, "maximum"], 1],
  "fewer nodes than zones": [
    [...POOL, "zones"],
    ["europe-west3-a", "europe-west3-b", "europe-west3-c"],
  ],
  "no surge at all": [[...POOL, "maxSurge"], 0],
  "a pool's name that is too long": [[...POOL, "name"], "a-name-of-sixteen"],
  "a negative number of nodes": [[...POOL, "minimum"], -1],
  "an effect that is none": [[...POOL, "taints"], [{ key: "a", effect: "Sometimes" }]],
  "a label that is none": [[...POOL, "labels"], { "a b": "c" }],
  "no pools": [["spec", "provider", "workers"], []],
  "ranges that are none": [["spec", "networking", "pods"], "10.96.0.0"],
  "ranges of pods and services that overlap": [["spec", "networking", "services"], "10.96.0.0/16"],
  "ranges of nodes and pods that overlap": [["spec", "networking", "nodes"], "10.96.0.0/19"],
  "a network of nobody": [["spec", "networking", "type"], "flannel"],
  "a cloud of nobody": [["spec", "provider", "type"], "alicloud"],
  "a purpose that is none": [["spec", "purpose"], "fun"],
  "a tolerance that is none": [
    ["spec", "controlPlane"],
    { highAvailability: { failureTolerance: { type: "region" } } },
  ],
  "a window that is too short": [["spec", "maintenance", "timeWindow"], { begin: "220000+0000", end: "221000+0000" }],
  "a window that is none": [["spec", "maintenance", "timeWindow"], { begin: "22:00", end: "23:00" }],
  "a schedule that is none": [["spec", "hibernation", "schedules"], [{ start: "at night" }]],
  "a place that is none": [["spec", "hibernation", "schedules"], [{ start: "0 20 * * *", location: "Mars/North" }]],
  "an extension of nobody": [["spec", "extensions"], [{ type: "shoot-magic" }]],
  "an extension twice": [
    ["spec", "extensions"],
    [{ type: "shoot-dns-service" }, { type: "shoot-dns-service" }],
  ],
  "a toleration of nobody": [["spec", "tolerations"], [{ key: "anything" }]],
  "a restriction of nobody": [["spec", "accessRestrictions"], [{ name: "moon-only" }]],
  "a domain that is none": [["spec", "dns"], { domain: "not a domain" }],
  "a DNS provider without a domain": [
    ["spec", "dns"],
    { providers: [{ type: "aws-route53", primary: true, secretName: "route53" }] },
  ],
  "a Secret that is not there": [
    ["spec", "dns"],
    { domain: "x.acme.example.com", providers: [{ type: "aws-route53", primary: true, secretName: "none" }] },
  ],
  "a name that is too long": [["metadata", "name"], "name-of-nineteen-00"],
  "a name with two dashes": [["metadata", "name"], "a--b"],
  "a name in capitals": [["metadata", "name"], "Acme"],
  "a finalizer": [["metadata", "finalizers"], ["gardener"]],
};

function withValue<T>(object: T, [key, ...rest]: Path, value: unknown): T {
  if (key === undefined) return value as T;
  if (Array.isArray(object))
    return object.map((one: unknown, at) => (at === key ? withValue(one, rest, value) : one)) as T;
  const record = (object ?? {}) as Record<string, unknown>;
  return { ...record, [key]: withValue(record[key], rest, value) } as T;
}

const shootOf = (kubernetesVersion: string): KubeObject =>
  forVersion(shootFor("fault", { cluster: { ...CLOUDS["gcp"]!.cluster, kubernetesVersion } })).shoot;

/** Fields that a version of Kubernetes forbids. */
const FORBIDDEN: Readonly<Record<string, readonly [string, Path, unknown]>> = {
  "a SecretBinding with 1.34": ["1.34.3", ["spec", "secretBindingName"], "gcp"],
  "a CloudProfile's name with 1.34": ["1.34.3", ["spec", "cloudProfileName"], "gcp"],
  "a DNS provider's Secret with 1.35": [
    "1.35.2",
    ["spec", "dns"],
    { domain: "y.acme.example.com", providers: [{ type: "aws-route53", primary: true, secretName: "route53" }] },
  ],
};

export const FAULTS: readonly (readonly [title: string, shoot: () => KubeObject])[] = [
  ...Object.entries(VALUES).map(
    ([title, [path, value]]) => [title, () => withValue(shootOf("1.33.4"), path, value)] as const,
  ),
  ...Object.entries(FORBIDDEN).map(
    ([title, [version, path, value]]) => [title, () => withValue(shootOf(version), path, value)] as const,
  ),
];
