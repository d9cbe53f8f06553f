import assert from "node:assert/strict";
import type { EngineStep } from "../../../engine/pulumi/events";
import { Planned, stepsOf } from "../../../engine/update/planned";
import { planText } from "../../../cli/terminal/plannedChanges";

const urn = "urn:pulumi:acme::stackyard-runtime::stackyard:index:ManifestSet::acme";
const step = (more: Partial<EngineStep>): EngineStep => ({
  op: "update",
  urn,
  type: "stackyard:index:ManifestSet",
  ...more,
});

function planOf(...steps: EngineStep[]): Planned {
  const planned = new Planned();
  for (const metadata of steps) planned.event({ resourcePreEvent: { metadata } });
  return planned;
}

describe("a plan of the engine", () => {
  it("shows values before and after a change", () => {
    const { changes } = planOf(
      step({
        old: { inputs: { objects: [{ spec: { replicas: 1 } }], namespace: "a" } },
        new: { inputs: { objects: [{ spec: { replicas: 0 } }], namespace: "a" } },
        detailedDiff: { "objects[0].spec.replicas": { diffKind: "update" } },
      }),
    );
    const properties = [{ path: "objects[0].spec.replicas", before: 1, after: 0 }];
    assert.deepEqual(changes, [{ action: "update", type: "ManifestSet", name: "acme", urn, properties }]);
  });

  it("shows all inputs of created and deleted resources", () => {
    const inputs = { pool: "eu", slots: 2 };
    const { changes } = planOf(step({ op: "create", new: { inputs } }), step({ op: "delete", old: { inputs } }));
    assert.deepEqual(
      changes.map(({ properties }) => properties),
      [
        [
          { path: "pool", after: "eu" },
          { path: "slots", after: 2 },
        ],
        [
          { path: "pool", before: "eu" },
          { path: "slots", before: 2 },
        ],
      ],
    );
  });

  it("shows a deletion as the engine writes it, with null for missing fields", () => {
    const nothing = { new: null, diffs: null, detailedDiff: null };
    const planned = planOf(
      step({ op: "delete", old: { inputs: { pool: "eu" }, outputs: null }, ...nothing }),
      step({ op: "update", old: { inputs: null }, ...nothing }),
      step({ op: "create", old: null, new: { inputs: { pool: "us" } }, diffs: null, detailedDiff: null }),
    );
    assert.deepEqual(
      planned.changes.map(({ action, properties }) => [action, properties]),
      [
        ["delete", [{ path: "pool", before: "eu" }]],
        ["update", []],
        ["create", [{ path: "pool", after: "us" }]],
      ],
    );
    assert.equal(
      planText("acme", planned.changes, planned.notes),
      "acme: 3 resources to change\n  - remove ManifestSet acme\n  ~ change ManifestSet acme\n  + create ManifestSet acme",
    );
  });

  it("shows a replacement once, and omits unchanged resources and components", () => {
    const { changes } = planOf(
      step({ op: "create-replacement" }),
      step({ op: "replace" }),
      step({ op: "delete-replaced" }),
      step({ op: "same" }),
      step({ op: "create", type: "stackyard:index:KubernetesRuntime" }),
      step({ op: "create", type: "pulumi:pulumi:Stack" }),
    );
    assert.deepEqual(
      changes.map(({ action }) => action),
      ["replace"],
    );
  });

  it("parses paths with quoted keys", () => {
    assert.deepEqual(stepsOf('a[0].labels["app.io/name"].b'), ["a", 0, "labels", "app.io/name", "b"]);
  });
});
