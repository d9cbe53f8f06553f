import assert from "node:assert/strict";
import { differencesBetween } from "../../../cli/delivery/differences";
import { commentOf, LIMITS } from "../../../cli/delivery/review/markdown";
import { outdatedAmong } from "../../../cli/delivery/review/review";
import { changedOutputs, isQuiet, reportOf, summary } from "../../../cli/delivery/report";
import type { EngineEvent, EngineStep } from "../../../engine/pulumi/events";
import { record, stack } from "../fleet/fixtures";

const step = (op: string, type: string, name: string, more: Partial<EngineStep> = {}): EngineEvent => ({
  resourcePreEvent: { metadata: { op, type, urn: `urn:pulumi:prod::stackyard::${type}::${name}`, ...more } },
});
const CLUSTER = "aws:eks/cluster:Cluster";
const SET = "stackyard:index:ManifestSet";
const disk = (more: Record<string, unknown> = {}) => ({
  old: { inputs: more, outputs: { inventory: ["apps/v1/StatefulSet/runtimes/acme"] } },
});

describe("the report of a preview", () => {
  it("counts changes, a replacement once, and omits unchanged resources and default providers", () => {
    const report = reportOf([
      step("same", SET, "quiet"),
      step("create", SET, "fresh"),
      step("create-replacement", "aws:iam/role:Role", "role"),
      step("replace", "aws:iam/role:Role", "role"),
      step("delete-replaced", "aws:iam/role:Role", "role"),
      step("update", CLUSTER, "c", {
        detailedDiff: { "tags.b": { diffKind: "add" }, version: { diffKind: "update" } },
      }),
      step("update", "pulumi:pulumi:Stack", "stack"),
      step("create", "pulumi:providers:stackyard", "default_0_1_0"),
      step("create", "pulumi:providers:pulumi", "default"),
    ]);
    assert.equal(summary(report), "1 to create, 1 to replace, 1 to update");
    assert.deepEqual(report.changes.at(-1)?.paths, ["tags.b", "version"]);
    assert.deepEqual(report.destructive, []);
  });

  it("lists deletions of state that cannot be recovered", () => {
    const lost = (...events: EngineEvent[]) => reportOf(events).destructive.map(({ name }) => name);
    assert.deepEqual(lost(step("replace", CLUSTER, "c"), step("delete", "aws:s3/bucket:Bucket", "b")), ["c", "b"]);
    assert.deepEqual(lost(step("update", CLUSTER, "c"), step("delete", "aws:iam/role:Role", "r")), []);
    assert.deepEqual(lost(step("delete", SET, "with-disks", disk())), ["with-disks"]);
    assert.deepEqual(lost(step("delete", SET, "kept", disk({ claimsWhenDeleted: "Retain" }))), []);
  });

  it("lists changed outputs, even if no resource changes", () => {
    const stack = (before: Record<string, unknown>, after: Record<string, unknown>): EngineEvent => {
      const urn = "urn:pulumi:prod::stackyard::pulumi:pulumi:Stack::stackyard-prod";
      const metadata = {
        op: "same",
        type: "pulumi:pulumi:Stack",
        urn,
        old: { outputs: before },
        new: { outputs: after },
      };
      return { resOutputsEvent: { metadata } };
    };
    const before = { slot: { cpu: 1, diskGb: 40 }, same: "x" };
    const changed = reportOf([
      stack(before, before),
      stack(before, { slot: { cpu: 2, diskGb: 80 }, same: "x", more: 1 }),
    ]);
    assert.deepEqual(changedOutputs(changed), ["more", "slot"]);
    assert.equal(summary(changed), "2 outputs to change");
    assert.equal(isQuiet(changed), false);
    const quiet = reportOf([stack(before, before)]);
    assert.deepEqual([summary(quiet), isQuiet(quiet)], ["no changes", true]);
  });

  it("has the messages of policies and errors without colour marks", () => {
    const { violations, errors } = reportOf([
      {
        policyEvent: {
          policyName: "limits",
          resourceUrn: "urn:pulumi:prod::stackyard::x::web",
          message: "<{%fg 1%}>too much<{%reset%}>",
          enforcementLevel: "mandatory",
        },
      },
      { diagnosticEvent: { severity: "error", message: "<{%fg 1%}>no<{%reset%}>" } },
    ]);
    assert.deepEqual(violations, [{ policy: "limits", resource: "web", message: "too much", isMandatory: true }]);
    assert.deepEqual(errors, ["no"]);
  });
});

describe("the runtimes that become outdated by an update of a platform", () => {
  const found = (name: string, more: Parameters<typeof record>[0] = {}) => ({
    state: stack(name),
    record: record({ provisioner: "spot", revision: "r1", ...more }),
  });
  const runtimes = [
    found("acme"),
    found("other", { provisioner: "shared" }),
    found("elsewhere", { platform: "organization/stackyard/prod" }),
    found("already", { revision: "r0" }),
    { state: stack("old") },
  ];
  const revisions = (spot: string) => ({ provisionerRevisions: { spot, shared: "s" } });

  it("are those of the changed provisioner, unless they are already outdated", () => {
    const outputs = { before: revisions("r1"), after: revisions("r2") };
    assert.deepEqual(outdatedAmong(runtimes, "dev", outputs), ["acme"]);
    assert.deepEqual(outdatedAmong(runtimes, "prod", outputs), ["elsewhere"]);
    assert.deepEqual(outdatedAmong(runtimes, "dev", { before: revisions("r1"), after: revisions("r1") }), []);
  });

  it("are in the comment, with the command to roll them out", () => {
    const ids = Array.from({ length: 7 }, (_, index) => `r${index}`);
    const text = commentOf("stackyard/dev", reportOf([]), new Set(), { outdated: ids });
    assert.match(
      text,
      /7 runtimes will be outdated: r0, r1, r2, r3, r4 and 2 more\. .*stackyard runtime up --outdated --wave/,
    );
  });
});

describe("the comment of a preview", () => {
  const report = reportOf([step("replace", CLUSTER, "c", { diffs: ["na|me"] }), step("create", SET, "fresh")]);

  it("starts with its mark, and shows the losses and how to allow them", () => {
    const text = commentOf("stackyard/prod", report, new Set());
    assert.match(
      text,
      /^<!-- stackyard:preview:stackyard\/prod -->\n### `stackyard\/prod`: 1 to replace, 1 to create\n/,
    );
    assert.match(text, /\*\*stopped\*\*; allow it with `--allow c`/);
    assert.match(text, /^- replace <code>aws:eks\/cluster:Cluster<\/code> <code>c<\/code>: na\|me$/m);
    assert.match(commentOf("stackyard/prod", report, new Set(["c"])), /: allowed/);
    assert.match(commentOf("stackyard/prod", report, new Set(), { lockedBy: "it is locked" }), /^🔒 it is locked$/m);
  });

  it("shows what goes first, folded with its values", () => {
    const differing = { detailedDiff: { a: { diffKind: "update" } }, old: { inputs: { a: 1 } } };
    const update = { ...differing, new: { inputs: { a: "```<b>" } } };
    const text = commentOf(
      "stackyard/prod",
      reportOf([step("update", SET, "changed", update), step("delete", SET, "gone", disk())]),
      new Set(),
      { attachment: "the attachment" },
    );
    assert.ok(text.indexOf("</code> <code>gone</code>") < text.indexOf("</code> <code>changed</code>"));
    assert.match(text, /- takes 1 object along: apps\/v1\/StatefulSet\/runtimes\/acme\n/);
    assert.match(text, /<summary>update .*: a<\/summary>\n\n```diff\n- a: 1\n\+ a: "'''<b>"\n```\n<\/details>/);
    assert.match(text, /\nAll values in full: the attachment\n$/);
  });

  it("keeps the values of small changes beside a large one", () => {
    const long = { new: { inputs: { text: Array.from({ length: 9000 }, (_, line) => `line ${line}`).join("\n") } } };
    const short = { new: { inputs: { a: 1 } } };
    const all = reportOf([step("create", SET, "long", long), step("create", SET, "short", short)]);
    const text = commentOf("stackyard/prod", all, new Set());
    assert.ok(Buffer.byteLength(text) < 65_536);
    assert.match(text, /… and \d+ more lines\n[^]*\+ a: 1\n/);
    assert.match(commentOf("stackyard/prod", all, new Set(), { limit: LIMITS.file }), /line 8999/);
  });

  it("stays within the limit of GitHub for any report", () => {
    const many = Array.from({ length: 5000 }, (_, index) => step("create", SET, `set-${index}-${"x".repeat(100)}`));
    const text = commentOf("stackyard/prod", reportOf(many), new Set());
    assert.ok(text.length < 65_536, String(text.length));
    assert.match(text, /\n\d+ changes without values, \d+ of them not listed, for lack of space\n$/);
  });
});

describe("the differences between two stacks", () => {
  it("are listed by path, without secrets", () => {
    const from = { cluster: { name: "a", pools: { x: { max: 3 } } }, key: { secure: "v1:abc" }, same: [1, 2] };
    const to = { cluster: { name: "b", pools: {} }, key: { secure: "v1:def" }, same: [1, 2], own: { secure: "v1:x" } };
    assert.deepEqual(differencesBetween(from, to), [
      { path: "cluster.name", from: '"a"', to: '"b"' },
      { path: "cluster.pools", from: undefined, to: "{}" },
      { path: "cluster.pools.x.max", from: "3", to: undefined },
      { path: "own", from: undefined, to: "[secret]" },
    ]);
    assert.deepEqual(differencesBetween(from, from), []);
  });
});
