import assert from "node:assert/strict";
import { leavingContents } from "../../../engine/runtime/leaving";
import { withRecord } from "../../../service/operations/desired";

const URNS = [
  "urn:pulumi:acme::stackyard-runtime::stackyard:index:GardenerRuntime$stackyard:index:ManifestSet::x-administrators",
  "urn:pulumi:acme::stackyard-runtime::stackyard:index:GardenerRuntime$stackyard:index:GardenerKyma::x-kyma",
  "urn:pulumi:acme::stackyard-runtime::stackyard:index:GardenerRuntime$stackyard:index:GardenerKyma$stackyard:index:BundleRelease::x-kyma-istio",
  "urn:pulumi:acme::stackyard-runtime::stackyard:index:GardenerRuntime$stackyard:index:Shoot::x-shoot",
  "urn:pulumi:acme::stackyard-runtime::stackyard:index:GardenerRuntime$stackyard:index:DirectorRuntime::x-registration",
  "urn:pulumi:acme::stackyard-runtime::stackyard:index:KubernetesRuntime$stackyard:index:ManifestSet::x-objects",
];

/** URNs that the flags exclude; of wildcards the engine knows `**`, which stands for any text. */
function excluded(flags: readonly string[]): string[] {
  const patterns = flags.filter((flag) => flag !== "--exclude").map((glob) => glob.split("**"));
  const quoted = (text: string): string => text.replace(/[$^.*+?()[\]{}|\\]/g, "\\$&");
  const all = patterns.map((parts) => new RegExp(`^${parts.map(quoted).join(".*")}$`));
  return URNS.filter((urn) => all.some((pattern) => pattern.test(urn)));
}

describe("what is in a cluster", () => {
  const sleeping = { deployment: { state: "hibernated", cluster: {} } };

  it("is left alone while the cluster is only begun with, or goes to sleep", () => {
    assert.deepEqual(excluded(leavingContents({ config: sleeping }, {})), URNS.slice(0, 3));
    const awake = { deployment: { cluster: {} } };
    assert.deepEqual(excluded(leavingContents({ config: awake }, { only: "cluster" })), URNS.slice(0, 3));
    assert.deepEqual(leavingContents({ config: awake }, {}), []);
  });

  it("goes with its cluster where the runtime moves, and is not looked for where there is no cluster of its own", () => {
    assert.deepEqual(leavingContents({ config: { ...sleeping, move: "other" } }, {}), []);
    assert.deepEqual(leavingContents({ config: { deployment: { state: "hibernated" } } }, {}), []);
  });
});

describe("what is stored of Kyma", () => {
  const before = { desiredConfig: { deployment: { kyma: { version: "2.21.0" } } } };
  const state = { deployment: { state: "hibernated" as const } };

  it("goes along with what changes nothing of it", () => {
    for (const kind of ["hibernate", "wake", "refresh"] as const) {
      assert.deepEqual(withRecord(before, { kind, change: state }), {
        deployment: { kyma: { version: "2.21.0" }, state: "hibernated" },
      });
    }
    assert.deepEqual(withRecord(before, { kind: "deprovision", change: { deployment: {} } }), { deployment: {} });
    assert.deepEqual(withRecord(undefined, { kind: "hibernate", change: state }), state);
    assert.deepEqual(withRecord({ desiredConfig: { deployment: {} } }, { kind: "hibernate", change: state }), state);
  });
});
