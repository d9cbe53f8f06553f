import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { CORE_SCHEMA, load, mergeTag } from "js-yaml";
import { readiness } from "../../../provider/resources/bundleRelease/apply/readiness";
import { FAILED_WHEN, READY_WHEN, rulesOf } from "../../../bundles/rules/rule";
import type { Rollout } from "../../../kubernetes/rollout/state";
import type { KubeObject } from "../../../kubernetes/objects/objects";

/** An object, what kstatus says about it, and why its readiness here differs. */
interface Case {
  readonly case: string;
  readonly object: KubeObject;
  readonly kstatus: "Current" | "InProgress" | "Failed" | "Terminating";
  readonly ours: "ready" | "waiting" | "failed";
  readonly because?: string;
}

const object = (status: object | undefined, more: Partial<KubeObject> = {}): KubeObject => ({
  apiVersion: "example.com/v1",
  kind: "Gadget",
  metadata: { name: "a", generation: 2 },
  ...(status === undefined ? {} : { status }),
  ...more,
});
const condition = (type: string, status: string, message = "why") => ({ type, status, reason: "Reason", message });
const crd = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" };
const wordsOf = (state: Rollout): string => (state.done ? "ready" : (state.failed ?? state.progress));
const words = (live: KubeObject): string => wordsOf(readiness(live));

describe("the readiness of a bundle's object", () => {
  it("depends on the conditions of a custom resource", () => {
    const cases: [object | undefined, string][] = [
      [undefined, "ready"],
      [{ phase: "Anything" }, "ready"],
      [
        { observedGeneration: 1, conditions: [condition("Ready", "True")] },
        "its controller has not seen the change yet",
      ],
      [{ observedGeneration: 2, conditions: [condition("Ready", "True")] }, "ready"],
      [{ conditions: [condition("Ready", "False")] }, "not Ready (Reason: why)"],
      [{ conditions: [condition("Available", "Unknown")] }, "not Available (Reason: why)"],
      [{ conditions: [condition("Reconciling", "True")] }, "its controller works on it (Reason: why)"],
      [{ conditions: [condition("Stalled", "True"), condition("Ready", "False")] }, "it is stalled (Reason: why)"],
    ];
    for (const [status, expected] of cases) assert.equal(words(object(status)), expected);
  });

  it("is that of kstatus, except where a reason is given", () => {
    const file = path.join(__dirname, "../../fixtures/kstatus.yaml");
    const schema = CORE_SCHEMA.withTags(mergeTag);
    const counterpart = { Current: "ready", InProgress: "waiting", Failed: "failed", Terminating: "waiting" };
    for (const { case: title, object: live, kstatus, ours, because } of load(readFileSync(file, "utf8"), {
      schema,
    }) as Case[]) {
      const state = readiness(live);
      assert.equal(state.done ? "ready" : state.failed === undefined ? "waiting" : "failed", ours, title);
      assert.equal(because !== undefined, ours !== counterpart[kstatus], title);
    }
  });

  it("waits until a CRD is served, and fails if its names are taken", () => {
    assert.equal(words(object({}, crd)), "not Established yet");
    assert.equal(words(object({ conditions: [condition("Established", "True")] }, crd)), "ready");
    const taken = {
      conditions: [condition("NamesAccepted", "False", "gadgets is taken"), condition("Established", "False")],
    };
    assert.equal(words(object(taken, crd)), "its names are not accepted (Reason: gadgets is taken)");
  });

  it("follows the object's own rules first, but not those met only by an outdated status", async () => {
    const conditions = [condition("Ready", "True")];
    const cases: [Record<string, string>, object, string][] = [
      [
        { ready: "{.status.phase}=Running" },
        { conditions, phase: "Starting" },
        ".status.phase is Starting, and is to be Running",
      ],
      [{ ready: 'self.status.phase == "Starting"' }, { phase: "Starting" }, "ready"],
      [
        { ready: 'self.status.phase == "Running"' },
        { phase: "Running", observedGeneration: 1 },
        "its controller has not seen the change yet",
      ],
      [
        { failed: 'self.status.phase == "Failed"' },
        { phase: "Failed", observedGeneration: 1 },
        "its controller has not seen the change yet",
      ],
      [{ failed: 'self.status.phase == "Failed"' }, { conditions, phase: "Fine" }, "ready"],
      [
        { failed: 'self.status.phase == "Failed"' },
        { conditions: [condition("Ready", "False")] },
        "not Ready (Reason: why)",
      ],
      [
        { failed: "{.status.phase}=Failed", ready: "{.status.phase}" },
        { conditions, phase: "Failed", observedGeneration: 2 },
        "it failed: .status.phase is Failed",
      ],
      [
        { ready: "self.status.phase" },
        { phase: "Running" },
        "its own rule can't be used: self.status.phase gives a string; expected what is true or false",
      ],
    ];
    for (const [{ ready, failed }, status, expected] of cases) {
      const annotations = { ...(ready && { [READY_WHEN]: ready }), ...(failed && { [FAILED_WHEN]: failed }) };
      const live = object(status, { metadata: { name: "a", generation: 2, annotations } });
      const { rules } = (await rulesOf(live))!;
      assert.equal(wordsOf(readiness(live, rules)), expected);
    }
  });

  it("is a doubtful failure unless the status is of the current generation", async () => {
    const annotations = { [FAILED_WHEN]: "{.status.phase}=Failed" };
    const live = (status: object) => object(status, { metadata: { name: "a", generation: 2, annotations } });
    const { rules } = (await rulesOf(live({})))!;
    const doubtful = (status: object) => (readiness(live(status), rules) as { doubtful?: boolean }).doubtful;
    assert.equal(doubtful({ phase: "Failed" }), true);
    assert.equal(doubtful({ phase: "Failed", observedGeneration: 2 }), undefined);
  });
});
