import assert from "node:assert/strict";
import { resolveEks } from "../../../../components/eks/config/resolve";
import { eksCluster } from "../../../../components/eks/config/schema";
import { checkReadiness, judgeChange, type Readiness } from "../../../../components/eks/versions/readiness";
import { stageOf } from "../../../../components/eks/versions/stages";
import { judgeSupport } from "../../../../components/eks/versions/support";
import { withWarnings } from "../../runtime/warnings";
import { SMALLEST } from "./clusters";

const configOf = (more: object) => resolveEks(eksCluster.parse({ ...SMALLEST, ...more }));
const group = (pool: string, version: string) => ({
  type: "aws:eks/nodeGroup:NodeGroup",
  outputs: { version, labels: { "stackyard.dev/node-pool": pool } },
});
/** A cluster of a version with the pools general and autoscaler of another. */
const stateOf = (version: string, ofNodes = version) => ({
  cluster: { type: "aws:eks/cluster:Cluster", outputs: { name: "acme", version } },
  general: group("general", ofNodes),
  autoscaler: group("autoscaler", ofNodes),
});
const versionsOf = ({ config }: ReturnType<typeof stageOf>) => [
  config.version,
  ...Object.values(config.nodePools).map(({ version }) => version),
];

describe("the updates of a new Kubernetes version", () => {
  it("upgrade the control plane, and its nodes in the next update", () => {
    const first = stageOf(configOf({ version: "1.36" }), stateOf("1.35"));
    assert.deepEqual(versionsOf(first), ["1.36", "1.35", "1.35"]);
    assert.match(
      first.note ?? "",
      /Nodes stay at 1\.35 in this update: general, autoscaler\. The next one updates them/,
    );
    const second = stageOf(configOf({ version: "1.36" }), stateOf("1.36", "1.35"));
    assert.deepEqual(versionsOf(second), ["1.36", undefined, undefined]);
    assert.equal(second.note, undefined);
  });

  it("keep versions of pools, and upgrade all at once if configured", () => {
    const nodePools = { general: { ...SMALLEST.nodePools.general, version: "1.36" } };
    assert.deepEqual(versionsOf(stageOf(configOf({ version: "1.36", nodePools }), stateOf("1.35"))), [
      "1.36",
      "1.36",
      "1.35",
    ]);
    const together = stageOf(configOf({ version: "1.36", upgrade: "together" }), stateOf("1.35"));
    assert.deepEqual(versionsOf(together), ["1.36", undefined, undefined]);
    assert.deepEqual(versionsOf(stageOf(configOf({}), {})), ["1.35", undefined, undefined]);
  });

  it("roll nodes back before the control plane", () => {
    const first = stageOf(configOf({ version: "1.35", upgrade: "together" }), stateOf("1.36"));
    assert.deepEqual(versionsOf(first), ["1.36", "1.35", "1.35"]);
    assert.equal(first.nodesFirst, true);
    const second = stageOf(configOf({ version: "1.35" }), stateOf("1.36", "1.35"));
    assert.deepEqual(versionsOf(second), ["1.35", undefined, undefined]);
  });
});

describe("the readiness of a cluster for another version", () => {
  const now = Date.UTC(2026, 10, 20);
  const upgraded = (days: number, type = "VersionUpdate"): Readiness["updates"] => [
    {
      type: "VersionUpdate",
      status: "Successful",
      params: [{ type: "Version", value: "1.35" }],
      createdAt: new Date(now - 200 * 86_400_000),
    },
    {
      type: type as "VersionUpdate",
      status: "Successful",
      params: [{ type: "Version", value: "1.36" }],
      createdAt: new Date(now - days * 86_400_000),
    },
    { type: "ConfigUpdate", status: "Successful", createdAt: new Date(now) },
  ];
  const insight = (status: "ERROR" | "WARNING" | "PASSING", name: string) => ({
    name,
    insightStatus: { status, reason: "because" },
  });
  const wanted = { name: "acme", region: "eu-central-1", version: "1.36", forceUpdate: false };
  const back = { ...wanted, version: "1.35" };

  it("needs insights without errors, unless the update is forced", () => {
    const insights = [
      insight("ERROR", "Deprecated APIs"),
      insight("WARNING", "Add-ons"),
      insight("PASSING", "Kubelet"),
    ];
    const { fault, warnings } = judgeChange({ insights, updates: [] }, "1.35", wanted, now);
    assert.match(
      fault ?? "",
      /^stackyard:cluster\.version: found "1\.36", and the cluster runs 1\.35; expected no errors/,
    );
    assert.match(
      fault ?? "",
      /\n {2}- Deprecated APIs: because\n.*list-insights --cluster-name acme.*forceUpdate: true/,
    );
    assert.deepEqual(warnings, ["EKS' insights into the upgrade to 1.36 warn:\n  - Add-ons: because"]);
    const forced = judgeChange({ insights, updates: [] }, "1.35", { ...wanted, forceUpdate: true }, now);
    assert.equal(forced.fault, undefined);
    assert.match(forced.warnings[1] ?? "", /forceUpdate overrides:\n {2}- Deprecated APIs/);
    assert.deepEqual(judgeChange({ insights: [insight("PASSING", "Kubelet")], updates: [] }, "1.35", wanted, now), {
      warnings: [],
    });
  });

  it("allows a rollback within seven days of the upgrade", () => {
    const judged = (updates: Readiness["updates"]) => judgeChange({ insights: [], updates }, "1.36", back, now).fault;
    assert.equal(judged(upgraded(6)), undefined);
    assert.match(judged(upgraded(8)) ?? "", /expected 1\.36 or more: EKS rolls back within 7 days, .* 8 days ago$/);
    assert.match(
      judged([]) ?? "",
      /EKS rolls back only what it upgraded, and it did not upgrade this cluster from 1\.35/,
    );
    assert.match(judged(upgraded(1, "VersionRollback")) ?? "", /EKS rolls back only what it upgraded/);
  });

  it("is looked at again after the nodes went back", () => {
    const insights = [insight("ERROR", "Kubelet version skew")];
    const nodesFirst = judgeChange({ insights, updates: upgraded(1) }, "1.36", { ...back, nodesFirst: true }, now);
    assert.equal(nodesFirst.fault, undefined);
    assert.match(nodesFirst.warnings[0] ?? "", /are looked at again after the nodes:\n {2}- Kubelet version skew/);
  });

  it("is asked only for another version, and unknown if EKS does not answer", async () => {
    const silent = () => Promise.reject(new Error("AccessDenied"));
    await checkReadiness(wanted, undefined, silent);
    await checkReadiness(wanted, "1.36", silent);
    const { warned } = await withWarnings(() => checkReadiness(wanted, "1.35", silent));
    assert.deepEqual(warned, [
      "Whether acme is ready for 1.36 is not known: EKS does not show its insights: AccessDenied",
    ]);
    const insights = [insight("ERROR", "Deprecated APIs")];
    const asked = checkReadiness(wanted, "1.35", () => Promise.resolve({ insights, updates: [] }));
    await assert.rejects(asked, /expected no errors[^]*Nothing was changed\.$/);
  });
});

describe("the support of a Kubernetes version", () => {
  const support = {
    versionStatus: "EXTENDED_SUPPORT",
    endOfStandardSupportDate: "2026-07-29T00:00:00Z",
    endOfExtendedSupportDate: "2027-07-29T00:00:00Z",
  };
  const judged = (supportType: "standard" | "extended", from?: string) =>
    judgeSupport(support, { version: "1.33", supportType }, from);

  it("costs more once its standard support has ended, which a preview says", () => {
    assert.match(
      judged("extended").note ?? "",
      /ended on 2026-07-29, so EKS charges 0\.60 USD .* of 0\.10, about 365 USD/,
    );
    assert.match(judged("standard").note ?? "", /EKS upgrades the cluster by itself\. .*supportType: extended/);
    const current = { ...support, versionStatus: "STANDARD_SUPPORT" };
    assert.deepEqual(judgeSupport(current, { version: "1.35", supportType: "extended" }, undefined), {});
    assert.deepEqual(judgeSupport(undefined, { version: "1.35", supportType: "extended" }, undefined), {});
  });

  it("has to be extended before a rollback to it", () => {
    assert.match(judged("standard", "1.34").fault ?? "", /supportType: found "standard"; expected "extended" before a/);
    assert.equal(judged("extended", "1.34").fault, undefined);
  });
});
