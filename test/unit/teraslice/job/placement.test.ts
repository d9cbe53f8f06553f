import assert from "node:assert/strict";
import { podsOf } from "./samples";

const WEST = { key: "zone", value: "west" };
const EAST = { key: "region", value: "region1" };

const match = ({ key, value }: { key: string; value: string }): object => ({ key, operator: "In", values: [value] });
const required = (...targets: (typeof WEST)[]): object => ({
  requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: targets.map(match) }] },
});
const preferred = (...targets: (typeof WEST)[]): object => ({
  preferredDuringSchedulingIgnoredDuringExecution: targets.map((target) => ({
    weight: 1,
    preference: { matchExpressions: [match(target)] },
  })),
});
const tolerated = ({ key, value }: typeof WEST): object => ({ key, operator: "Equal", value, effect: "NoSchedule" });

/** Affinity and tolerations of the execution controller and of workers. */
const placed = (job: object, settings: object = {}): unknown[] =>
  podsOf(job, settings).map((pod: { affinity?: unknown; tolerations?: unknown }) => [pod.affinity, pod.tolerations]);
const both = (affinity: unknown, tolerations?: unknown): unknown[] => [
  [affinity, tolerations],
  [affinity, tolerations],
];

describe("the placement of a job's pods", () => {
  it("is unrestricted without targets", () => {
    assert.deepEqual(placed({}), both(undefined));
    assert.deepEqual(placed({ targets: [] }), both(undefined));
  });

  it("requires all required targets in one node selector term", () => {
    assert.deepEqual(placed({ targets: [WEST] }), both({ nodeAffinity: required(WEST) }));
    const two = [{ ...WEST, constraint: "required" }, EAST];
    assert.deepEqual(placed({ targets: two }), both({ nodeAffinity: required(WEST, EAST) }));
  });

  it("prefers nodes that match a preferred target, each separately", () => {
    const two = [WEST, EAST].map((target) => ({ ...target, constraint: "preferred" }));
    assert.deepEqual(placed({ targets: two }), both({ nodeAffinity: preferred(WEST, EAST) }));
  });

  it("tolerates the taint of an accepted target", () => {
    const targets = [{ ...WEST, constraint: "accepted" }];
    assert.deepEqual(placed({ targets }), both(undefined, [tolerated(WEST)]));
  });

  it("combines targets of all kinds", () => {
    const targets = [WEST, { ...EAST, constraint: "preferred" }, { key: "gpu", value: "yes", constraint: "accepted" }];
    const affinity = { nodeAffinity: { ...required(WEST), ...preferred(EAST) } };
    assert.deepEqual(placed({ targets }), both(affinity, [tolerated({ key: "gpu", value: "yes" })]));
  });

  it("adds execution controller targets after the job's, with tolerations, to controllers only", () => {
    const settings = { execution_controller_targets: [EAST] };
    assert.deepEqual(placed({}, settings), [
      [{ nodeAffinity: required(EAST) }, [tolerated(EAST)]],
      [undefined, undefined],
    ]);
    assert.deepEqual(placed({ targets: [WEST] }, settings), [
      [{ nodeAffinity: required(WEST, EAST) }, [tolerated(EAST)]],
      [{ nodeAffinity: required(WEST) }, undefined],
    ]);
  });

  it("adds a preferred anti-affinity to workers only, next to their targets", () => {
    const apart = {
      preferredDuringSchedulingIgnoredDuringExecution: [
        {
          weight: 1,
          podAffinityTerm: {
            labelSelector: {
              matchExpressions: [
                { key: "app.kubernetes.io/name", operator: "In", values: ["teraslice"] },
                { key: "app.kubernetes.io/instance", operator: "In", values: ["teracluster"] },
              ],
            },
            topologyKey: "kubernetes.io/hostname",
          },
        },
      ],
    };
    assert.deepEqual(placed({ targets: [WEST] }, { kubernetes_worker_antiaffinity: true }), [
      [{ nodeAffinity: required(WEST) }, undefined],
      [{ nodeAffinity: required(WEST), podAntiAffinity: apart }, undefined],
    ]);
    assert.deepEqual(placed({}, { kubernetes_worker_antiaffinity: true })[1], [{ podAntiAffinity: apart }, undefined]);
  });
});
