import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "js-yaml";
import type { Platform } from "../../../components/runtime/platform/platform";
import type { GardenerProvisioner } from "../../../components/runtime/types/gardener/spec";
import { shootFiles, writingShoot } from "../../../service/gardener/shootFile";
import type { Stage, StageContext } from "../../../service/operations/run/stage";
import { GCP } from "../gardener/clusters";
import { PLATFORM } from "../runtime/platform";

const GARDEN: GardenerProvisioner = {
  ...{ type: "gardener", cluster: "https://gardener.example.com", project: "rill", namespace: "garden-rill" },
  ...{ secretBindings: { gcp: "gcp" }, cloudProfiles: {}, defaults: {}, maintenanceWindows: {}, auditLogs: {} },
  ...{ timeouts: {}, allowForceDeletion: false },
};
const ON: Platform = { ...PLATFORM, provisioners: { ...PLATFORM.provisioners, garden: GARDEN } };
const STACK = "organization/stackyard/dev";
const rowOf = (provisioner: string) => ({
  id: "acme",
  desiredConfig: { platform: STACK, deployment: { provisioner, cluster: { ...GCP, name: "acme" } } },
  provisioner: null,
});

describe("the file of a new runtime's Shoot", () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "stackyard-shoots-"))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const write = (into = join(folder, "new")) =>
    shootFiles({
      folder: into,
      platform: (name) => (name === STACK ? Promise.resolve(ON) : Promise.reject(new Error(`no ${name}`))),
      serviceDefaults: { auditLogs: { policyConfigMap: "policy" } },
    });

  it("has the original's name and the planned Shoot, and is readable only by its owner", async () => {
    const path = await write()(rowOf("garden"), { id: "operation-1" });
    assert.equal(path, join(folder, "new", "garden-rill-acme-shootCR.yaml"));
    assert.equal(statSync(path).mode & 0o777, 0o600);
    const { kind, metadata, spec } = load(readFileSync(path, "utf8")) as Record<string, Record<string, object>>;
    assert.equal(kind, "Shoot");
    assert.deepEqual(metadata?.["annotations"], {
      "kcp.provisioner.kyma-project.io/runtime-id": "acme",
      "compass.provisioner.kyma-project.io/runtime-id": "acme",
      "kcp.provisioner.kyma-project.io/operation-id": "operation-1",
      "compass.provisioner.kyma-project.io/operation-id": "operation-1",
    });
    assert.match(JSON.stringify(spec?.["kubernetes"]), /"configMapRef":\{"name":"policy"\}/);
  });

  it("is written before the stage, and a write error causes only a note", async () => {
    const notes: (string | undefined)[] = [];
    const order: string[] = [];
    const stage: Stage = {
      name: "apply",
      run: () => {
        order.push(`stage after ${notes.length} notes`);
        return Promise.resolve({ end: "done" });
      },
    };
    const context = (provisioner: string) =>
      ({
        deployment: rowOf(provisioner),
        operation: { id: "operation-1" },
        report: (events: readonly { text?: string }[]) => notes.push(...events.map(({ text }) => text)),
      }) as unknown as StageContext;
    const blocked = join(folder, "file");
    writeFileSync(blocked, "");
    assert.deepEqual(await writingShoot(stage, write()).run(context("garden")), { end: "done" });
    assert.deepEqual(await writingShoot(stage, write(blocked)).run(context("garden")), { end: "done" });
    assert.match(notes[0] ?? "", /^Shoot written to .*garden-rill-acme-shootCR\.yaml$/);
    assert.match(notes[1] ?? "", /^Shoot not written to a file: .*(EEXIST|ENOTDIR)/);
    assert.deepEqual(order, ["stage after 1 notes", "stage after 2 notes"]);
  });
});
