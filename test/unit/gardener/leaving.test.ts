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

describe("the contents of a cluster", () => {
  const sleeping = { deployment: { state: "hibernated", cluster: {} } };

  it("are excluded when only the cluster is created or when it is hibernated", () => {
    assert.deepEqual(excluded(leavingContents({ config: sleeping }, {})), URNS.slice(0, 3));
    const awake = { deployment: { cluster: {} } };
    assert.deepEqual(excluded(leavingContents({ config: awake }, { only: "cluster" })), URNS.slice(0, 3));
    assert.deepEqual(leavingContents({ config: awake }, {}), []);
  });

  it("are not excluded if the runtime moves or has no cluster of its own", () => {
    assert.deepEqual(leavingContents({ config: { ...sleeping, move: "other" } }, {}), []);
    assert.deepEqual(leavingContents({ config: { deployment: { state: "hibernated" } } }, {}), []);
  });
});

describe("the stored Kyma settings", () => {
  const before = { desiredConfig: { deployment: { kyma: { version: "2.21.0" } } } };
  const state = { deployment: { state: "hibernated" as const } };

  it("are kept by operations that do not change them", () => {
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
