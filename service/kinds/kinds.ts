import type { DeploymentChange, RuntimeChange } from "../../engine/stack/change";
import { kindOfOperation } from "./kind";

/** Stage names of the Kyma Runtime Provisioner for runs of the engine. */
const named = (apply: string) => ({ settle: apply, apply, destroy: apply });

const upgradeType = ({ cluster, kyma }: DeploymentChange) =>
  kyma !== undefined && cluster === undefined ? "Upgrade" : "UpgradeShoot";

const CHANGED = {
  cluster: {
    waits: [
      { name: "WaitingForShootNewVersion", goal: "changed", limit: "shootRefresh" },
      { name: "WaitingForShootUpgrade", goal: "changed", limit: "shootUpgrade", alone: true },
    ],
    changesContent: true,
  },
  runtimes: {
    type: upgradeType,
    started: "Starting Gardener Shoot upgrade",
    stages: named("WaitingForShootNewVersion"),
  },
} as const;

const HIBERNATION = { name: "WaitForHibernation", goal: "changed", limit: "hibernation", alone: true } as const;

/** All kinds of operations, which `OperationKind` in service/api/schema.graphql lists too. */
export const KINDS = {
  provision: kindOfOperation({
    participle: "provisioned",
    creates: true,
    isUse: true,
    cluster: {
      waits: [
        { name: "WaitingForClusterDomain", goal: "created", limit: "domain" },
        { name: "WaitingForClusterCreation", goal: "created", limit: "creation", alone: true },
      ],
      changesContent: true,
    },
    runtimes: {
      type: ({ kyma }) => (kyma === undefined ? "ProvisionNoInstall" : "Provision"),
      started: "Provisioning started",
      stages: named("WaitingForClusterDomain"),
    },
  }),
  update: kindOfOperation({ participle: "updated", isUse: true, ...CHANGED }),
  hibernate: kindOfOperation({
    participle: "hibernated",
    change: { state: "hibernated" },
    cluster: { waits: [HIBERNATION] },
    runtimes: { type: () => "Hibernate", started: "Starting hibernation", stages: named("WaitForHibernation") },
  }),
  wake: kindOfOperation({
    participle: "woken",
    change: { state: "running" },
    isUse: true,
    cluster: { waits: [HIBERNATION], changesContent: true },
    runtimes: { type: () => "Wake", started: "Starting to wake up", stages: named("WaitForHibernation") },
  }),
  move: kindOfOperation({ participle: "moved", moves: true, mayDeleteData: true, isUse: true, ...CHANGED }),
  deprovision: kindOfOperation({
    participle: "deprovisioned",
    change: {},
    deletes: true,
    mayDeleteData: true,
    runtimes: {
      type: (_change, hasKyma) => (hasKyma ? "Deprovision" : "DeprovisionNoInstall"),
      started: "Deprovisioning started",
      stages: { settle: "DeprovisionCluster", destroy: "WaitForClusterDeletion" },
    },
  }),
  refresh: kindOfOperation({
    participle: "refreshed",
    change: {},
    refreshes: true,
    runtimes: {
      type: () => "ReconnectRuntime",
      started: "Starting to configure the Runtime Agent",
      stages: named("ConnectRuntimeAgent"),
    },
  }),
};

export type OperationKind = keyof typeof KINDS;

interface Asked {
  readonly kind: OperationKind;
  readonly change: RuntimeChange;
}

/** What the runtime API calls an operation. `hasKyma`: whether the stored runtime has Kyma. */
export const operationType = ({ kind, change }: Asked, hasKyma: boolean) =>
  KINDS[kind].runtimes.type(change.deployment, hasKyma);

/** Names of operations in the runtime API. */
export type OriginalOperationType = ReturnType<typeof operationType>;

/** The kind of an operation that an earlier system ran. */
export const KIND_OF: Readonly<Record<OriginalOperationType, OperationKind>> = {
  Provision: "provision",
  ProvisionNoInstall: "provision",
  Upgrade: "update",
  UpgradeShoot: "update",
  Hibernate: "hibernate",
  Wake: "wake",
  Deprovision: "deprovision",
  DeprovisionNoInstall: "deprovision",
  ReconnectRuntime: "refresh",
};

/** Whether an operation changes Kyma, and nothing of its cluster. */
export const upgradesKyma = (asked: Asked): boolean => operationType(asked, true) === "Upgrade";
