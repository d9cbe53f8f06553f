/** The rules of a Shoot of `core.gardener.cloud/v1beta1` that need no other object. A release says which fields there are. */

import {
  anything,
  cidr,
  condition,
  flag,
  immutable,
  intOrString,
  listOf,
  long,
  mapOf,
  matching,
  object,
  oneOf,
  part,
  ruled,
  text,
  time,
  whole,
  withDefault,
  type Schema,
} from "./blocks";
import { released } from "./released";
import { kubernetes } from "./shootKubernetes";
import { isPrimary, SPEC_RULES } from "./shootRules";

const LABEL = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$";
const extension = object({ type: { ...text, maxLength: 64 }, providerConfig: anything, disabled: flag }, ["type"]);
const reference = object({ name: text, resourceRef: object({ apiVersion: text, kind: text, name: text }) }, [
  "name",
  "resourceRef",
]);
const includeExclude = object({ include: listOf(text), exclude: listOf(text) });

const DOMAIN = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";

const dns = ruled(
  object({
    domain: immutable(matching(DOMAIN)),
    providers: listOf(
      object({
        domains: includeExclude,
        zones: includeExclude,
        primary: flag,
        secretName: text,
        type: text,
        credentialsRef: object({ apiVersion: text, kind: text, name: text }),
      }),
      8,
    ),
  }),
  {
    rule: `has(self.domain) || !has(self.providers) || !self.providers.exists(one, ${isPrimary("one")})`,
    message: 'domain must be set when primary provider type is not set to "unmanaged"',
    fieldPath: ".domain",
  },
);

const volume = {
  name: text,
  type: text,
  size: matching("^[0-9]+(\\.[0-9]+)?([KMGT]i?)?$"),
  encrypted: flag,
};

const cron = matching("^\\S+ \\S+ \\S+ \\S+ \\S+$");
const effect = oneOf("NoSchedule", "PreferNoSchedule", "NoExecute");
const zone = { ...text, maxLength: 64 };

const worker = ruled(
  object(
    {
      annotations: mapOf(text),
      labels: mapOf(text),
      caBundle: text,
      cri: object({ name: text, containerRuntimes: listOf(object({ type: text, providerConfig: anything })) }),
      kubernetes: object({ kubelet: anything, version: text }),
      name: matching(LABEL, 15),
      machine: object(
        {
          type: { type: "string", minLength: 1, maxLength: 100 },
          image: object({ name: text, version: text, providerConfig: anything }, ["name"]),
          architecture: text,
        },
        ["type"],
      ),
      minimum: { ...whole, minimum: 0 },
      maximum: { ...whole, minimum: 0 },
      maxSurge: intOrString,
      maxUnavailable: intOrString,
      providerConfig: anything,
      taints: listOf(object({ key: text, value: text, effect, timeAdded: time }, ["key", "effect"])),
      volume: object(volume, ["size"]),
      dataVolumes: listOf(object(volume, ["name", "size"])),
      kubeletDataVolumeName: text,
      zones: listOf(zone, 8),
      systemComponents: object({ allow: flag }, ["allow"]),
      machineControllerManager: anything,
      sysctls: mapOf(text),
      clusterAutoscaler: anything,
      priority: whole,
      updateStrategy: oneOf("AutoRollingUpdate", "AutoInPlaceUpdate", "ManualInPlaceUpdate"),
    },
    ["name", "machine", "minimum", "maximum"],
  ),
  {
    rule: "self.minimum <= self.maximum",
    message: "minimum value must be less or equal than maximum value",
    fieldPath: ".maximum",
  },
  {
    rule: "!(has(self.maxSurge) && has(self.maxUnavailable) && string(self.maxSurge) in ['0', '0%'] && string(self.maxUnavailable) in ['0', '0%'])",
    message: "may not be 0 when `maxSurge` is 0",
  },
  {
    rule: "!has(self.zones) || self.zones.all(one, self.zones.filter(other, other == one).size() == 1)",
    message: "Duplicate value",
    fieldPath: ".zones",
  },
  {
    rule: "!has(oldSelf.zones) || (has(self.zones) && (self.zones.join(',') + ',').startsWith(oldSelf.zones.join(',') + ','))",
    message: "field is immutable",
    fieldPath: ".zones",
  },
);

const provider = object(
  {
    type: immutable(text),
    controlPlaneConfig: anything,
    infrastructureConfig: anything,
    workers: { ...listOf(worker, 32), "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] },
    workersSettings: object({ sshAccess: object({ enabled: flag }, ["enabled"]) }),
  },
  ["type"],
);

const networking = ruled(
  object({
    type: immutable(text),
    providerConfig: anything,
    pods: immutable(cidr),
    nodes: immutable(cidr),
    services: immutable(cidr),
    ipFamilies: listOf(oneOf("IPv4", "IPv6"), 2),
  }),
  {
    // Gardener refuses it by the size of the nodes' ranges of IPv6, which it sets by default.
    rule: "!has(oldSelf.ipFamilies) || oldSelf.ipFamilies.size() < 2 || (has(self.ipFamilies) && self.ipFamilies.size() == 2)",
    message: "nodeCIDRMaskSizeIPv6 cannot be set for IPv4 single-stack clusters",
    reason: "FieldValueForbidden",
  },
);

/** `170000+0000`: a time of day with its offset. */
const ofDay = matching("^([01][0-9]|2[0-3])[0-5][0-9][0-5][0-9][+-][0-9]{4}$");
const maintenance = object({
  autoUpdate: object({ kubernetesVersion: flag, machineImageVersion: flag }, ["kubernetesVersion"]),
  timeWindow: object({ begin: ofDay, end: ofDay }, ["begin", "end"]),
  confineSpecUpdateRollout: flag,
  autoRotation: anything,
});

const spec = ruled(
  object(
    {
      accessRestrictions: listOf(object({ name: text, options: mapOf(text) }, ["name"])),
      addons: anything,
      cloudProfile: object({ kind: text, name: text }, ["kind", "name"]),
      cloudProfileName: text,
      controlPlane: object({
        highAvailability: object({
          failureTolerance: object({ type: immutable(oneOf("node", "zone")) }, ["type"]),
        }),
      }),
      credentialsBindingName: text,
      dns,
      exposureClassName: text,
      extensions: listOf(extension, 16),
      hibernation: object({
        enabled: flag,
        schedules: listOf(object({ start: cron, end: cron, location: text })),
      }),
      kubernetes,
      maintenance,
      monitoring: object({ alerting: object({ emailReceivers: listOf(text) }) }),
      networking,
      provider,
      purpose: withDefault(oneOf("evaluation", "testing", "development", "production", "infrastructure"), "evaluation"),
      region: immutable({ type: "string", minLength: 1, maxLength: 100 }),
      resources: listOf(reference),
      schedulerName: text,
      secretBindingName: text,
      seedName: text,
      seedSelector: anything,
      systemComponents: anything,
      tolerations: listOf(object({ key: text, value: text }, ["key"])),
    },
    ["kubernetes", "provider", "region"],
  ),
  ...SPEC_RULES,
);

const status: Schema = object({
  advertisedAddresses: listOf(object({ name: text, url: text, application: text })),
  clusterIdentity: text,
  conditions: listOf(condition),
  constraints: listOf(condition),
  credentials: anything,
  gardener: object({ id: text, name: text, version: text }),
  hibernated: flag,
  lastErrors: listOf(
    object({ description: { type: "string" }, taskID: text, codes: listOf(text), lastUpdateTime: time }),
  ),
  lastHibernationTriggerTime: time,
  lastMaintenance: anything,
  lastOperation: object({
    description: { type: "string" },
    lastUpdateTime: time,
    progress: part,
    state: oneOf("Processing", "Succeeded", "Error", "Failed", "Pending", "Aborted"),
    type: oneOf("Create", "Reconcile", "Delete", "Migrate", "Restore"),
  }),
  networking: anything,
  observedGeneration: long,
  retryCycleStartTime: time,
  seedName: text,
  technicalID: text,
  uid: text,
});

/** A Shoot of a release of Gardener. */
export const shoot = (release: string): Schema => object({ spec: released(release, spec), status }, ["spec"]);
