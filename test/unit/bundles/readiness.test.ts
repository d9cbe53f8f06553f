import assert from "node:assert/strict";
import { readiness } from "../../../provider/bundles/release/readiness";
import { parseRule, READY_WHEN } from "../../../provider/bundles/release/readyWhen";
import type { KubeObject } from "../../../provider/kubernetes/objects";

const object = (status: object | undefined, rule?: string, more: Partial<KubeObject> = {}): KubeObject => ({
  apiVersion: "example.com/v1",
  kind: "Gadget",
  metadata: { name: "a", generation: 2, ...(rule === undefined ? {} : { annotations: { [READY_WHEN]: rule } }) },
  ...(status === undefined ? {} : { status }),
  ...more,
});
const condition = (type: string, status: string, message = "why") => ({ type, status, reason: "Reason", message });
const crd = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" };
const words = (live: KubeObject): string => {
  const state = readiness(live);
  return state.done ? "ready" : (state.failed ?? state.progress);
};

describe("whether an object of a bundle is ready", () => {
  it("is what its conditions say, for custom resources", () => {
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

  it("waits until a kind is served, and gives up when its names are taken", () => {
    assert.equal(words(object({}, undefined, crd)), "not Established yet");
    assert.equal(words(object({ conditions: [condition("Established", "True")] }, undefined, crd)), "ready");
    const taken = {
      conditions: [condition("NamesAccepted", "False", "gadgets is taken"), condition("Established", "False")],
    };
    assert.equal(words(object(taken, undefined, crd)), "its names are not accepted (Reason: gadgets is taken)");
  });

  it("is what the object's own rule says before anything else", () => {
    const ready = { conditions: [condition("Ready", "True")], phase: "Starting", "a.b": ["x", { n: 3 }] };
    const cases: [string, string][] = [
      ["{.status.phase}=Starting", "ready"],
      ["{.status.phase}=Running", ".status.phase is Starting, and is to be Running"],
      ["{.status.nothing}=Running", ".status.nothing is nothing, and is to be Running"],
      ["{.status.address}", ".status.address is nothing"],
      ["{.status.phase}", "ready"],
      ["{.status['a.b'][0]}=x", "ready"],
      ["{.status.a\\.b[1].n}=3", "ready"],
      ["{.status.a\\.b[-1].n}=3", "ready"],
      ['{.status.conditions[?(@.type=="Ready")].status}=True', "ready"],
      [
        '{.status.conditions[?(@.type=="Other")].status}=True',
        '.status.conditions[?(@.type=="Other")].status is nothing, and is to be True',
      ],
      ["{.status.conditions[*].status}=True", "ready"],
    ];
    for (const [rule, expected] of cases) assert.equal(words(object(ready, rule)), expected, rule);
  });

  it("refuses a rule that it can't read, with the place", () => {
    for (const rule of ["status.phase=Running", "{}=x", "{.status..phase}=x", "{.status[?(@.a>1)]}=x", "{status}"]) {
      assert.throws(() => parseRule(rule), /stackyard\.dev\/ready-when: found .*; expected \{\.path/, rule);
    }
  });
});
