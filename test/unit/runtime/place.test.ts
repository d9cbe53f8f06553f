import assert from "node:assert/strict";
import { ChoiceError } from "../../../components/runtime/choiceError";
import { settlePlace } from "../../../components/runtime/place";
import { planRuntime } from "../../../components/runtime/plan";
import type { Present } from "../../../components/runtime/record/present";
import type { Place } from "../../../components/runtime/types/registry";
import { DEPLOYMENT, EU, PLATFORM } from "./platform";

const KUBERNETES: Present<Place> = {
  name: "kubernetes-old",
  provisioner: "eu",
  place: {
    type: "kubernetes",
    cluster: EU.cluster,
    namespace: EU.namespace,
    set: "runtime-acme",
    objects: [
      {
        kind: "StatefulSet",
        metadata: { name: "runtime-acme" },
        spec: { volumeClaimTemplates: [{ metadata: { name: "data" } }] },
      },
    ],
  },
};
const POOL: Present<Place> = {
  name: "static-old",
  provisioner: "shared",
  place: { type: "static", pool: "dev/shared", host: "http://1" },
};
const plan = (provisioner: string) => planRuntime(PLATFORM, DEPLOYMENT, provisioner);

describe("the place of a runtime", () => {
  it("is that of its provisioner in the first run", () => {
    assert.deepEqual(settlePlace(plan("eu"), undefined, false), { plan: plan("eu"), notes: [] });
  });

  it("keeps its name if nothing moves", () => {
    assert.equal(settlePlace(plan("eu"), KUBERNETES, false).plan.name, "kubernetes-old");
    assert.equal(settlePlace(plan("shared"), POOL, false).plan.name, "static-old");
    assert.equal(settlePlace(plan("eu-next"), KUBERNETES, true).plan.name, "kubernetes-old");
  });

  it("causes a note before a move with the target and the fate of the disk", () => {
    const { notes } = settlePlace(plan("shared"), KUBERNETES, true);
    assert.deepEqual(notes, [
      'moves from namespace runtimes of https://eu.example.com:6443 to pool "dev/shared". Its data is not copied; disk runtimes/data-runtime-acme-0 is kept',
    ]);
    assert.match(
      settlePlace(plan("us"), KUBERNETES, true).notes[0] ?? "",
      /If both addresses reach the same cluster, the runtime and its disk stay$/,
    );
    assert.match(
      settlePlace(plan("eu"), POOL, true).notes[0] ?? "",
      /^moves from host http:\/\/1 of pool "dev\/shared" to/,
    );
  });

  it("keeps its disk in a hibernated move, and rejects a hibernated move that deletes its cluster", () => {
    const asleep = planRuntime(PLATFORM, { ...DEPLOYMENT, state: "hibernated" }, "us");
    const { notes } = settlePlace(asleep, KUBERNETES, true);
    assert.match(notes[0] ?? "", /data-runtime-acme-0 is kept/);
    const shoot: Place = { type: "gardener", cluster: "https://garden", namespace: "garden-p", shoot: "acme" };
    const moved = () => settlePlace(asleep, { ...KUBERNETES, place: shoot }, true);
    assert.throws(moved, /is hibernated, so its cluster would be deleted.*runtime wake acme/);
  });

  it("does not change while the current or the previous request protects the deployment", () => {
    const protectedOne = { ...DEPLOYMENT, protected: true };
    const record = { deployment: protectedOne, platform: "organization/stackyard/dev", provisioner: "eu" };
    const free = { ...record, deployment: DEPLOYMENT };
    for (const present of [
      { ...KUBERNETES, record },
      { ...KUBERNETES, record, latest: free },
      { ...KUBERNETES, record: free, latest: record },
    ]) {
      assert.throws(
        () => settlePlace(plan("shared"), present, true),
        (error: unknown) =>
          error instanceof ChoiceError &&
          error.kind === "protected" &&
          /is protected, so nothing was changed: it moves from .* stackyard runtime unprotect /.test(error.message),
      );
      assert.equal(settlePlace(plan("eu"), present, false).plan.name, "kubernetes-old");
      assert.equal(settlePlace(plan("eu-next"), present, true).plan.name, "kubernetes-old");
    }
    assert.equal(settlePlace(plan("shared"), { ...KUBERNETES, record: free, latest: free }, true).notes.length, 1);
  });

  it("is rejected if the provisioner now has another type or pool", () => {
    assert.throws(
      () => settlePlace(plan("shared"), KUBERNETES, false),
      /is at namespace runtimes of \S+; its provisioner "shared" is pool "dev\/shared" now.*--provisioner shared --move/,
    );
    const renamed: Present<Place> = { ...POOL, place: { type: "static", pool: "dev/shared", deployment: "former" } };
    assert.throws(
      () => settlePlace(plan("shared"), renamed, false),
      /this stack has the slots of deployment "former"; .*Restore deployment\.id/,
    );
    const other: Present<Place> = { ...POOL, place: { type: "static", pool: "prod/shared" } };
    assert.throws(
      () => settlePlace(plan("shared"), other, false),
      /is at host \(not known yet\) of pool "prod\/shared"/,
    );
  });
});
