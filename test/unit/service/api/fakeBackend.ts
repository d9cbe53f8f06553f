import type { Backend, Plan } from "../../../../service/api/backend";
import type { LifetimeView } from "../../../../service/lifetimes/rules";
import type { Caller } from "../../../../service/operations/input";
import type { DeploymentRow, KeptDiskRecord, OperationRow, RolloutRow } from "../../../../service/database/tables";
import type { BundleRow } from "../../../../service/database/watchTables";
import type { Page } from "../../../../service/database/queries/page";
import { OperationError } from "../../../../service/operations/error";

const AT = new Date("2026-01-02T03:04:05Z");

/** A cluster and its Kyma, as a deployment has them. */
export const CLUSTER = {
  name: "acme",
  kubernetesVersion: "1.33.4",
  provider: "gcp",
  workerCidr: "10.250.0.0/16",
  providerSpecificConfig: { gcpConfig: { zones: ["europe-west3-a"] } },
  administrators: ["ann@example.com"],
};
export const KYMA = {
  version: "2.20.0",
  components: [{ component: "compass-runtime-agent", namespace: "kyma-system" }],
  configuration: [{ key: "global.password", value: "hidden-password", secret: true }],
};

const WAITING = {
  object: "StatefulSet runtimes/a",
  state: "waiting",
  detail: "0 of 1 pods ready",
  lines: ["Pod a-0: no node has room"],
  disks: [],
  findings: [],
} as const;

export const deploymentRow = (id: string, tenant: string, more: Partial<DeploymentRow> = {}): DeploymentRow => ({
  id,
  name: id,
  tenant,
  desiredConfig: {
    platform: "organization/stackyard/dev",
    deployment: { version: "1.0", slots: 1, cluster: CLUSTER, kyma: KYMA },
  },
  revision: 1,
  desiredState: "running",
  protected: false,
  provisioner: "shared",
  outputs: { host: `http://${id}.example.com`, cpu: 1, state: "running", clickhouse: { password: "hidden-password" } },
  revisions: { runtime: { provisioner: "shared", revision: "r1" } },
  createdAt: AT,
  updatedAt: AT,
  deletedAt: null,
  ownedSince: AT,
  ...more,
});

export const operationRow = (
  id: string,
  deployment: string,
  tenant: string,
  more: Partial<OperationRow> = {},
): OperationRow => ({
  id,
  deploymentId: deployment,
  tenant,
  kind: "provision",
  isUse: true,
  state: "failed",
  change: { deployment: {} },
  refresh: false,
  revision: 1,
  stage: "update",
  attempts: 1,
  error: { code: "PROVISIONING_FAILED", reason: "no", component: "engine", retryable: true },
  message: "failed",
  requestedBy: "somebody",
  requestedAt: AT,
  startedAt: AT,
  endedAt: new Date(AT.getTime() + 1500),
  deadlineAt: null,
  leaseOwner: null,
  leaseUntil: null,
  leaseEpoch: 0,
  enginesUntil: null,
  engines: [],
  cancelRequestedAt: null,
  retryOf: null,
  past: null,
  trace: null,
  previousConfig: null,
  replacedBy: null,
  guarded: false,
  result: { changes: { create: 1 }, outputs: { host: "h", clickhouse: { password: "hidden-password" } }, notes: [] },
  ...more,
});

const keptDisk = (tenant: string): KeptDiskRecord => ({
  uid: `uid-of-${tenant}`,
  name: `runtimes/data-runtime-${tenant}-1-0`,
  deployment: `${tenant}-1`,
  tenant,
  platform: "organization/stackyard/dev",
  provisioner: "shared",
  gib: 40,
  keptAt: AT.toISOString(),
});

const rolloutRow = (tenant: string): RolloutRow & { tenant: string } => ({
  id: tenant === "other" ? OPERATIONS.other : OPERATIONS.acme,
  platform: "organization/stackyard/dev",
  tenant,
  state: "planning",
  waves: null,
  maxFailures: 0,
  dryRun: false,
  message: "finding out what would change",
  requestedBy: "somebody",
  requestedAt: AT,
  endedAt: null,
});

/** The change that each plan of the fake has. */
const CHANGE: Plan["changes"][number] = {
  action: "update",
  type: "ManifestSet",
  name: "a",
  urn: "u",
  properties: [{ path: "spec.replicas", before: 1, after: 2 }],
};

/** The lifetime that each deployment of the fake has. */
/** A bundle against whose changes a controller works. */
const BUNDLE: BundleRow = {
  ...{ platform: "organization/stackyard/dev", urn: "urn:pulumi:dev::stackyard::release::web", name: "shop/web" },
  ...{ everySeconds: 600, standing: "repaired", reason: null, streak: 3, repairs: 7, managers: ["their-controller"] },
  restored: [{ object: "ConfigMap shop/a", text: "data.a (changed by their-controller)" }],
  ...{ restoredAt: AT, checkedAt: AT, nextAt: AT },
};

const LIFETIME: LifetimeView = {
  timeToLive: null,
  idleLimit: 129_600,
  stoppedRetention: 604_800,
  expiresAt: null,
  idleSince: AT,
  hibernatesAt: new Date(AT.getTime() + 129_600_000),
  deletesAt: null,
  announcedAt: null,
  notes: [],
};

/** Ids of the operations that the fake has: one of each tenant. */
export const OPERATIONS = {
  acme: "018f0000-0000-7000-8000-000000000001",
  other: "018f0000-0000-7000-8000-000000000002",
};

/** A page with all rows there are, each with its place as cursor. */
export const pageWith = <Row>(nodes: readonly Row[]): Page<Row> => ({
  nodes,
  cursors: nodes.map((_, at) => String(at)),
  hasNextPage: false,
  hasPreviousPage: false,
  totalCount: nodes.length,
});

/** A backend in memory: each of the tenants acme and other has one deployment, named after it, and one operation. */
export function fakeBackend(): Backend & {
  readonly asked: { what: string; caller: Caller }[];
  readonly refusals: string[];
} {
  const deployments = [deploymentRow("acme-1", "acme"), deploymentRow("other-1", "other")];
  const before = { platform: "organization/stackyard/dev", deployment: { cluster: CLUSTER, kyma: KYMA } };
  const upgrade = { kind: "update", change: { deployment: { kyma: KYMA } }, previousConfig: before } as const;
  const operations: OperationRow[] = [
    operationRow(OPERATIONS.acme, "acme-1", "acme", upgrade),
    operationRow(OPERATIONS.other, "other-1", "other", upgrade),
  ];
  const asked: { what: string; caller: Caller }[] = [];
  const ofTenant = <Row extends { tenant: string }>(rows: readonly Row[], tenant: string | undefined): Row[] =>
    rows.filter((row) => tenant === undefined || row.tenant === tenant);
  const page = <Row>(rows: readonly Row[], first = 50): Promise<Page<Row>> =>
    Promise.resolve(pageWith(rows.slice(0, first)));
  const find = <Row extends { id: string; tenant: string }>(rows: readonly Row[], id: string, tenant?: string): Row => {
    const row = ofTenant(rows, tenant).find((each) => each.id === id);
    if (!row) throw new OperationError("NOT_FOUND", { reason: "there is none of this id", path: "id" });
    return row;
  };
  const refusals: string[] = [];
  return {
    asked,
    refusals,
    refused: (caller, action, target) => {
      refusals.push(`${caller.actor} ${action} ${target}`);
      return Promise.resolve();
    },
    granted: (caller, { action, target, details }) => {
      asked.push({ what: `${action} ${target} ${JSON.stringify(details)}`, caller });
      return Promise.resolve();
    },
    changes: {
      request: async ({ deployment, kind, idempotencyKey, lifetime }, caller) => {
        if (kind !== "provision") find(deployments, deployment, caller.tenant);
        const limits = lifetime === undefined ? "" : JSON.stringify(lifetime);
        asked.push({ what: [kind, deployment, limits, idempotencyKey].filter(Boolean).join(" "), caller });
        return Promise.resolve(operationRow(OPERATIONS.acme, deployment, caller.tenant, { kind, state: "pending" }));
      },
      plan: async ({ deployment, kind }, caller) => {
        if (kind !== "provision") find(deployments, deployment, caller.tenant);
        return Promise.resolve({ deployment, kind, changes: [CHANGE], notes: ["a note"] });
      },
      cancel: async (id, caller, key = "") => {
        asked.push({ what: `cancel ${id} ${key}`.trim(), caller });
        return Promise.resolve(find(operations, id, caller.tenant));
      },
      retry: async (id, caller, key = "") => {
        asked.push({ what: `retry ${id} ${key}`.trim(), caller });
        return Promise.resolve(find(operations, id, caller.tenant));
      },
      rollBackRecord: async (id, caller) => {
        asked.push({ what: `rollBackRecord ${id}`, caller });
        return Promise.resolve(find(deployments, id, caller.tenant));
      },
      protect: async (id, isProtected, caller, { idempotencyKey = "" }) => {
        asked.push({ what: `protect ${id} ${isProtected} ${idempotencyKey}`.trim(), caller });
        return Promise.resolve({ ...find(deployments, id, caller.tenant), protected: isProtected });
      },
      setLifetime: async (id, change, caller, { idempotencyKey = "" }) => {
        asked.push({ what: `setLifetime ${id} ${JSON.stringify(change)} ${idempotencyKey}`.trim(), caller });
        return Promise.resolve(find(deployments, id, caller.tenant));
      },
      planLifetime: async (id, _change, caller) => {
        find(deployments, id, caller.tenant);
        return Promise.resolve({ deployment: id, kind: "update", changes: [CHANGE], notes: [], lifetime: LIFETIME });
      },
      touch: async (id, caller, key = "") => {
        asked.push({ what: `touch ${id} ${key}`.trim(), caller });
        return Promise.resolve(find(deployments, id, caller.tenant));
      },
    },
    fleet: {
      refresh: ({ idempotencyKey = "" }, caller, everybody) => {
        asked.push({ what: `refresh ${everybody} ${idempotencyKey}`.trim(), caller });
        return Promise.resolve(rolloutRow(caller.tenant));
      },
      cancel: (id, caller, key = "") => {
        asked.push({ what: `cancel ${id} ${key}`.trim(), caller });
        return Promise.resolve(rolloutRow(caller.tenant));
      },
      rollouts: (tenant) => Promise.resolve(ofTenant([rolloutRow("acme"), rolloutRow("other")], tenant)),
      rollout: (tenant, id) =>
        Promise.resolve(ofTenant([rolloutRow("acme"), rolloutRow("other")], tenant).find((row) => row.id === id)),
      items: () => Promise.resolve([]),
      drift: (ids) =>
        Promise.resolve(
          ids.map((deploymentId) => ({
            deploymentId,
            checkedAt: AT,
            changes: null,
            error: null,
            repairOperationId: null,
          })),
        ),
      keptDisks: async ({ tenant, first }) => {
        const disks = ofTenant(
          [keptDisk("acme"), keptDisk("other")] as (KeptDiskRecord & { tenant: string })[],
          tenant,
        );
        return { ...(await page(disks, first)), totalGib: 40 * disks.length, unseen: [] };
      },
      deleteKeptDisks: (names, caller, tenant, { idempotencyKey = "" }) => {
        const own = [keptDisk("acme"), keptDisk("other")].filter((disk) => (tenant ?? disk.tenant) === disk.tenant);
        const disks = names.map((name) => own.find((disk) => disk.name === name));
        if (!disks.every((disk) => disk !== undefined)) {
          throw new OperationError("NOT_FOUND", { reason: "there is none of this name", path: "names" });
        }
        asked.push({ what: `deleteKeptDisks ${names.join(" ")} ${idempotencyKey}`.trim(), caller });
        return Promise.resolve(disks);
      },
      bundles: ({ first }) => page([BUNDLE], first),
      orphans: () => Promise.resolve({ orphans: [{ kind: "deployment", id: "lost", tenant: "other" }], unseen: [] }),
      adopt: (id, caller, { idempotencyKey = "" } = {}) => {
        asked.push({ what: `adopt ${id} ${idempotencyKey}`.trim(), caller });
        return Promise.resolve(deploymentRow(id, caller.tenant));
      },
      forget: (id, caller, key = "") => {
        asked.push({ what: `forget ${id} ${key}`.trim(), caller });
        return Promise.resolve(find(deployments, id, caller.tenant));
      },
    },
    reads: {
      deployment: (tenant, id) => Promise.resolve(ofTenant(deployments, tenant).find((row) => row.id === id)),
      deploymentOfCluster: () => Promise.resolve(undefined),
      deployments: ({ tenant, first }) => page(ofTenant(deployments, tenant), first),
      deploymentsById: (ids) => Promise.resolve(deployments.filter(({ id }) => ids.includes(id))),
      operation: (tenant, id) => Promise.resolve(ofTenant(operations, tenant).find((row) => row.id === id)),
      operations: ({ tenant, first }) => page(ofTenant(operations, tenant), first),
      operationsOf: async (ids, first) => {
        const of = (id: string) =>
          page(
            operations.filter(({ deploymentId }) => deploymentId === id),
            first,
          );
        return new Map(await Promise.all(ids.map(async (id) => [id, await of(id)] as const)));
      },
      revisions: () => Promise.resolve({ provisionerRevisions: { shared: "r1" } }),
      contents: () => Promise.resolve({ consistsOf: ["StatefulSet runtimes/a"], conditions: [{ objects: [WAITING] }] }),
      newest: (ids) => Promise.resolve(operations.filter(({ deploymentId }) => ids.includes(deploymentId))),
      stages: (ids) =>
        Promise.resolve(
          ids.map((operationId) => ({
            operationId,
            number: 1,
            name: "update",
            state: "failed" as const,
            attempts: 1,
            startedAt: AT,
            endedAt: AT,
            error: null,
          })),
        ),
      events: async function* (operationId) {
        for (const id of ["1", "2"]) {
          yield await Promise.resolve({
            id,
            operationId,
            at: AT,
            kind: "step" as const,
            text: `step ${id}`,
            data: null,
          });
        }
      },
      changedOperations: async function* ({ tenant, stack }) {
        const own = ofTenant(operations, tenant).filter(({ deploymentId }) => deploymentId === (stack ?? deploymentId));
        for (const row of own) yield await Promise.resolve(row);
      },
      health: (ids) =>
        Promise.resolve(
          ids.map((deploymentId) => ({ deploymentId, state: "healthy" as const, reason: null, checkedAt: AT })),
        ),
      lifetimes: (ids) => Promise.resolve(new Map(ids.map((id) => [id, LIFETIME]))),
      notices: ({ tenant }) =>
        page(
          ["acme", "other"]
            .filter((each) => tenant === undefined || each === tenant)
            .map((each, index) => ({
              id: String(index),
              at: AT,
              kind: "drift" as const,
              level: "warning" as const,
              tenant: each,
              subject: `${each}-1`,
              text: "1 change would restore its desired state",
            })),
        ),
      audit: ({ tenant }) =>
        page(
          ofTenant(
            ["acme", "other"].map((each, index) => ({
              id: String(index),
              at: AT,
              tenant: each,
              actor: "somebody",
              address: null,
              action: "provision",
              target: `${each}-1`,
              outcome: "accepted",
              details: {},
            })),
            tenant,
          ),
        ),
      provisioners: () =>
        Promise.resolve([
          {
            platform: "organization/stackyard/dev",
            name: "shared",
            type: "static",
            isDefault: true,
            environments: [],
            runtimes: 2,
            slotsTotal: 4,
            slotsUsed: 2,
            slotsFree: 2,
            hosts: [{ host: "http://secret-host:1", slots: 4, used: 2, free: 2, drain: false }],
            warnings: [],
          },
          {
            platform: "dev",
            name: "gardener",
            type: "gardener",
            isDefault: false,
            environments: [],
            runtimes: 0,
            slotsUsed: 0,
            hosts: [],
            warnings: [],
          },
        ]),
    },
  };
}
