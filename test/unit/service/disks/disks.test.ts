import assert from "node:assert/strict";
import type { Platform } from "../../../../components/runtime/platform/platform";
import { disksNamed, type FoundDisk } from "../../../../engine/disks/disks";
import type { DeploymentRow } from "../../../../service/database/tables";
import { diskCheck } from "../../../../service/disks/request";
import { diskPage, ownedDisks, recordOf } from "../../../../service/disks/owned";
import type { OperationError } from "../../../../service/operations";
import { deploymentRow } from "../api/fakeBackend";

const GIB = 2 ** 30;
const CLUSTER = "https://10.0.0.1:6443";

const PLATFORM = {
  provisioners: {
    cluster: { type: "kubernetes", cluster: CLUSTER, namespace: "runtimes" },
    elsewhere: { type: "kubernetes", cluster: CLUSTER, namespace: "others" },
    pool: { type: "static", pool: "pool" },
  },
  defaultProvisioner: "cluster",
  environments: {},
  slot: { cpu: 1, memoryGb: 4, diskGb: 40 },
} as unknown as Platform;

const disk = (deployment: string, more: Partial<FoundDisk> = {}): FoundDisk => ({
  namespace: "runtimes",
  name: `data-runtime-${deployment}-0`,
  set: `runtimes/${deployment}`,
  deployment,
  provisioner: "cluster",
  platform: "organization/stackyard/dev",
  since: "2026-03-01T00:00:00.000Z",
  bytes: 40 * GIB,
  uid: `uid-${deployment}`,
  clusters: [CLUSTER],
  remove: () => Promise.resolve(true),
  ...more,
});
const rows = (...all: readonly DeploymentRow[]): ReadonlyMap<string, DeploymentRow> =>
  new Map(all.map((row) => [row.id, row]));

const RED = deploymentRow("acme", "red", { deletedAt: new Date() });
const BLUE = deploymentRow("acme-1a2b3c4d", "blue", { name: "acme" });
const ALL = [disk("acme"), disk("acme-1a2b3c4d", { since: "2026-02-01T00:00:00.000Z" }), disk("by-hand")];

const ownersFor = (tenant: string | undefined) =>
  ownedDisks(ALL, rows(RED, BLUE), tenant).map((each) => [each.found.name, recordOf(each).tenant]);

describe("the kept disks of the service", () => {
  it("are a tenant's own, even after a deprovision, and all disks for an administrator", () => {
    assert.deepEqual(ownersFor("red"), [["data-runtime-acme-0", "red"]]);
    assert.deepEqual(ownersFor("blue"), [["data-runtime-acme-1a2b3c4d-0", "blue"]]);
    assert.deepEqual(ownersFor("green"), []);
    assert.deepEqual(ownersFor(undefined), [
      ["data-runtime-acme-0", "red"],
      ["data-runtime-acme-1a2b3c4d-0", "blue"],
      ["data-runtime-by-hand-0", null],
    ]);
  });

  it("are not a tenant's if they were kept before the tenant's stack or at an unknown time", () => {
    for (const since of ["2025-12-31T00:00:00.000Z", ""]) {
      assert.deepEqual(ownedDisks([disk("acme", { since })], rows(RED), "red"), []);
    }
  });

  it("have the deployment's id, the size and the time", () => {
    const [one] = ownedDisks(ALL, rows(RED, BLUE), "blue");
    const { name, deployment, gib, keptAt } = recordOf(one ?? assert.fail());
    assert.deepEqual(
      [name, deployment, gib, keptAt],
      ["runtimes/data-runtime-acme-1a2b3c4d-0", "acme", 40, "2026-02-01T00:00:00.000Z"],
    );
  });

  it("are paged, oldest first, with their total size", () => {
    const own = { disks: ownedDisks(ALL, rows(RED, BLUE), undefined), unseen: [] };
    const first = diskPage(own, { first: 2 });
    assert.deepEqual(
      first.nodes.map(({ name }) => name),
      ["runtimes/data-runtime-acme-1a2b3c4d-0", "runtimes/data-runtime-acme-0"],
    );
    assert.deepEqual([first.totalCount, first.totalGib, first.hasNextPage], [3, 120, true]);
    const second = diskPage(own, { first: 2, after: first.cursors.at(-1) ?? "" });
    assert.deepEqual([second.nodes.map(({ deployment }) => deployment), second.hasNextPage], [["by-hand"], false]);
  });

  it("can be filtered by deployment, provisioner and platform", () => {
    const own = { disks: ownedDisks(ALL, rows(RED, BLUE), undefined), unseen: [] };
    assert.equal(diskPage(own, { filter: { deployment: "by-hand" } }).totalGib, 40);
    assert.equal(diskPage(own, { filter: { provisioner: "other" } }).totalCount, 0);
    assert.equal(diskPage(own, { filter: { platform: "organization/stackyard/dev" } }).totalCount, 3);
  });

  it("do not show the addresses of clusters to a tenant", () => {
    const own = { disks: [], unseen: [`cluster ${CLUSTER}: no answer`] };
    assert.deepEqual(diskPage(own, { tenant: "red" }).unseen, ["some clusters could not be read"]);
    assert.deepEqual(diskPage(own, {}).unseen, own.unseen);
  });

  it("are found by their listed name, and an unknown or ambiguous name is a fault", () => {
    const two = [...ALL, disk("acme", { clusters: ["https://10.0.0.2:6443"] })];
    assert.deepEqual(disksNamed(ALL, ["runtimes/data-runtime-acme-0", "runtimes/data-runtime-acme-0"]).named, [ALL[0]]);
    const { named, faults } = disksNamed(two, ["runtimes/data-runtime-acme-0", "data-runtime-by-hand-0"]);
    assert.deepEqual(named, []);
    assert.match(faults.join("\n"), /acme-0 is a kept disk in several clusters.*\n.*by-hand-0 is no kept disk/);
  });
});

describe("a new deployment that names a kept disk", () => {
  const check = (
    tenant: string,
    wanted: string,
    { provisioner = "cluster", unseen = [] as readonly string[], deployment = "acme" } = {},
  ) =>
    diskCheck({
      disks: { search: (of) => Promise.resolve({ disks: ownedDisks(ALL, rows(RED, BLUE), of), unseen }) },
      platform: () => Promise.resolve(PLATFORM),
    })({
      tenant,
      disk: wanted,
      deployment,
      desiredConfig: { platform: "organization/stackyard/dev", deployment: { slots: 1, version: "1", provisioner } },
    });
  const said = (refusal: OperationError | undefined) => [refusal?.code, refusal?.path];

  it("can use a disk of its own id and tenant, with or without the namespace", async () => {
    assert.equal(await check("red", "runtimes/data-runtime-acme-0"), undefined);
    assert.equal(await check("red", "data-runtime-acme-0"), undefined);
    assert.equal(await check("blue", "data-runtime-acme-1a2b3c4d-0"), undefined, "its stack has another name");
  });

  it("cannot use a disk of another deployment of its tenant", async () => {
    const refusal = await check("red", "data-runtime-acme-0", { deployment: "new" });
    assert.deepEqual(said(refusal), ["NOT_FOUND", "disk"]);
    assert.match(refusal?.reason ?? "", /expected a kept disk of new and its tenant/);
  });

  it("gets the same error for a disk of another tenant as for a missing disk", async () => {
    const [theirs, nobodys] = await Promise.all([check("blue", "data-runtime-acme-0"), check("blue", "nothing")]);
    assert.deepEqual(said(theirs), ["NOT_FOUND", "disk"]);
    assert.equal(theirs?.reason, nobodys?.reason.replace("nothing", "data-runtime-acme-0"));
    assert.match(theirs?.reason ?? "", /expected a kept disk of acme and its tenant in namespace runtimes/);
  });

  it("cannot use a disk of another namespace or with a pool", async () => {
    assert.deepEqual(said(await check("red", "data-runtime-acme-0", { provisioner: "elsewhere" })), [
      "NOT_FOUND",
      "disk",
    ]);
    assert.deepEqual(said(await check("red", "data-runtime-acme-0", { provisioner: "pool" })), ["BAD_INPUT", "disk"]);
  });

  it("can be retried if a cluster did not answer", async () => {
    const refusal = await check("blue", "nothing", { unseen: ["cluster x: no answer"] });
    assert.deepEqual([refusal?.code, refusal?.retryable], ["UNAVAILABLE", true]);
  });
});
