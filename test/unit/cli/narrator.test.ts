import assert from "node:assert/strict";
import { narrate } from "../../../engine/pulumi/narrator";
import { planText } from "../../../cli/terminal/plannedChanges";
import { Planned } from "../../../engine/update/planned";
import type { EngineEvent, EngineStep } from "../../../engine/pulumi/events";

const SET = "stackyard:index:ManifestSet";

function step(op: string, type: string, more: Partial<EngineStep> = {}): EngineEvent {
  return { resourcePreEvent: { metadata: { op, type, urn: `urn:pulumi:a::p::${type}::acme`, ...more } } };
}

describe("progress of an operation", () => {
  it("shows what is created, changed and deleted", () => {
    assert.deepEqual(narrate(step("create", SET)), [{ kind: "status", text: "creating ManifestSet acme" }]);
    assert.deepEqual(narrate(step("update", SET, { diffs: ["objects", "ping"] })), [
      { kind: "status", text: "changing ManifestSet acme (objects, ping)" },
    ]);
    assert.deepEqual(narrate(step("delete", SET)), [{ kind: "status", text: "deleting ManifestSet acme" }]);
  });

  it("omits unchanged resources, the stack, providers and components", () => {
    assert.deepEqual(narrate(step("same", SET)), []);
    assert.deepEqual(narrate(step("create", "pulumi:pulumi:Stack")), []);
    assert.deepEqual(narrate(step("create", "pulumi:providers:kubernetes")), []);
    assert.deepEqual(narrate(step("create", "stackyard:index:KubernetesRuntime")), []);
  });

  it("shows a waiting reason temporarily, and keeps other messages", () => {
    const say = (severity: "info" | "warning" | "error" | "debug", ephemeral: boolean) =>
      narrate({ diagnosticEvent: { severity, ephemeral, message: "<{%reset%}>claim data-0 is unbound<{%reset%}>\n" } });
    assert.deepEqual(say("info", true), [{ kind: "status", text: "claim data-0 is unbound" }]);
    assert.deepEqual(say("info", false), [{ kind: "line", text: "claim data-0 is unbound" }]);
    assert.deepEqual(say("warning", false), [{ kind: "warning", text: "claim data-0 is unbound" }]);
    assert.deepEqual(say("error", false), []);
    assert.deepEqual(say("debug", false), []);
  });
});

describe("the preview of a runtime", () => {
  it("lists the changes with the paths that differ", () => {
    const plan = new Planned();
    plan.event(step("same", SET));
    plan.event(step("update", SET, { detailedDiff: { "objects[0].spec": { diffKind: "update" } } }));
    plan.event(step("create", "stackyard:index:SlotAllocation", { diffs: ["pool"] }));
    const diagnosticEvent = { severity: "info", message: "<{%reset%}>moves from a to b<{%reset%}>\n" } as const;
    plan.event({ diagnosticEvent });
    plan.event({ diagnosticEvent: { ...diagnosticEvent, message: "still waiting", ephemeral: true } });
    assert.equal(
      planText("acme", plan.changes, plan.notes),
      [
        "acme: 2 resources to change",
        "  ~ change ManifestSet acme: objects[0].spec",
        "  + create SlotAllocation acme",
        "  moves from a to b",
      ].join("\n"),
    );
  });

  it("reports that there is nothing to do", () => {
    const plan = new Planned();
    plan.event(step("same", SET));
    assert.equal(planText("acme", plan.changes, plan.notes), "acme: nothing to do");
  });
});
