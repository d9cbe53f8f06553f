/** Resources that a Shoot needs: Project, SecretBinding, Seed and CloudProfile. */

import {
  anything,
  condition,
  flag,
  immutable,
  listOf,
  long,
  mapOf,
  object,
  oneOf,
  text,
  time,
  type Schema,
} from "./blocks";

const subject = { apiGroup: text, kind: text, name: text, namespace: text };

export const project: Schema = object(
  {
    spec: object({
      createdBy: object(subject),
      description: text,
      dualApprovalForDeletion: listOf(anything),
      members: listOf(object({ ...subject, role: text, roles: listOf(text) }, ["kind", "name", "role"])),
      namespace: immutable(text),
      owner: object(subject),
      purpose: text,
      tolerations: anything,
    }),
    status: object({
      conditions: listOf(condition),
      lastActivityTimestamp: time,
      observedGeneration: long,
      phase: oneOf("Pending", "Ready", "Failed", "Terminating"),
      staleSinceTimestamp: time,
    }),
  },
  ["spec"],
);

export const secretBinding: Schema = object(
  {
    secretRef: immutable(object({ name: text, namespace: text }, ["name"])),
    quotas: listOf(object({ apiVersion: text, kind: text, name: text, namespace: text })),
    provider: object({ type: text }, ["type"]),
  },
  ["secretRef"],
);

export const credentialsBinding: Schema = object(
  {
    credentialsRef: immutable(object({ apiVersion: text, kind: text, name: text, namespace: text })),
    provider: immutable(object({ type: text }, ["type"])),
    quotas: listOf(object({ apiVersion: text, kind: text, name: text, namespace: text })),
  },
  ["credentialsRef", "provider"],
);

export const seed: Schema = object(
  {
    spec: object(
      {
        accessRestrictions: listOf(object({ name: text })),
        backup: anything,
        dns: anything,
        extensions: listOf(anything),
        ingress: anything,
        networks: object({ nodes: text, pods: text, services: text, blockCIDRs: listOf(text) }, ["pods", "services"]),
        provider: object({ type: text, region: text, zones: listOf(text), providerConfig: anything }, [
          "type",
          "region",
        ]),
        resources: listOf(anything),
        settings: anything,
        taints: listOf(object({ key: text, value: text }, ["key"])),
        volume: anything,
      },
      ["provider", "networks"],
    ),
    status: object({
      conditions: listOf(condition),
      gardener: anything,
      kubernetesVersion: text,
      observedGeneration: long,
    }),
  },
  ["spec"],
);

const version = {
  version: text,
  expirationDate: time,
  classification: oneOf("preview", "supported", "deprecated", "expired", "unavailable"),
};

export const cloudProfile: Schema = object(
  {
    spec: object(
      {
        bastion: anything,
        caBundle: text,
        kubernetes: object({ versions: listOf(object(version, ["version"])) }, ["versions"]),
        limits: anything,
        machineImages: listOf(
          object({
            name: text,
            updateStrategy: text,
            versions: listOf(object({ ...version, cri: listOf(anything), architectures: listOf(text) }, ["version"])),
          }),
        ),
        machineTypes: listOf(
          object(
            { name: text, cpu: text, gpu: text, memory: text, architecture: text, usable: flag, storage: anything },
            ["name", "cpu", "gpu", "memory"],
          ),
        ),
        providerConfig: anything,
        regions: listOf(
          object(
            {
              name: text,
              labels: mapOf(text),
              accessRestrictions: listOf(object({ name: text })),
              zones: listOf(
                object({
                  name: text,
                  unavailableMachineTypes: listOf(text),
                  unavailableVolumeTypes: listOf(text),
                }),
              ),
            },
            ["name"],
          ),
        ),
        seedSelector: anything,
        type: text,
        volumeTypes: listOf(object({ name: text, class: text, usable: flag, minSize: text }, ["name", "class"])),
      },
      ["kubernetes", "machineImages", "machineTypes", "regions", "type"],
    ),
    status: anything,
  },
  ["spec"],
);
