import assert from "node:assert/strict";
import { adoptersOf } from "../../../../components/bundle/bundles";
import type { PlannedInstance } from "../../../../components/bundle/settings";
import { removedParts, takersAmong, type Part } from "../../../../provider/resources/dataGuard/inputs";
import { parted, takerOf } from "../../../../provider/resources/bundleRelease/ownership/takers";

const ref = (kind: string, name: string) => ({ apiVersion: "v1", kind, namespace: "shop", name });

describe("an object that moves to another release", () => {
  const giver = {
    namespace: "shop",
    name: "old",
    takers: [
      { bundle: "shop/new", adopt: ["v1/ConfigMap/shop/* from bundle shop/old", "v1/Secret/shop/* from helm"] },
      { bundle: "shop/other", adopt: ["from bundle shop/somebody"] },
    ],
  };

  it("stays when it leaves a release only if another release adopts it", () => {
    const refs = [ref("ConfigMap", "a"), ref("Secret", "b"), ref("ConfigMap", "c")];
    assert.deepEqual(parted(refs, giver), { going: [refs[1]], taken: [refs[0], refs[2]] });
    assert.equal(takerOf(ref("ConfigMap", "a"), giver), "shop/new");
    assert.equal(takerOf(ref("ConfigMap", "a"), { namespace: "shop", name: "old" }), undefined);
  });

  it("may be adopted by instances on the same cluster that name its release", () => {
    const instance = (name: string, adopt: string[], server = "https://one"): PlannedInstance =>
      ({ name, settings: { namespace: "shop", server, adopt } }) as unknown as PlannedInstance;
    const old = instance("old", []);
    const all = [
      old,
      instance("new", ["v1/ConfigMap/shop/x", "v1/ConfigMap/shop/* from bundle shop/old"]),
      instance("far", ["from bundle shop/old"], "https://two"),
      instance("longer", ["from bundle web-shop/old", "from bundle shop/older"]),
    ];
    assert.deepEqual(adoptersOf(old, all), [
      { bundle: "shop/new", adopt: ["v1/ConfigMap/shop/* from bundle shop/old"] },
    ]);
  });

  it("has adopters among the remaining parts when its own part is removed", () => {
    const part = (name: string, adopt?: string[]): Part => ({
      type: "bundle",
      namespace: "shop",
      name,
      ...(adopt && { adopt }),
    });
    const next = { parts: [part("new", ["from bundle shop/old"]), part("other", [])] };
    assert.deepEqual(
      removedParts({ parts: [part("old")] }, next).map(({ name }) => name),
      ["old"],
    );
    assert.deepEqual(takersAmong(next.parts), [{ bundle: "shop/new", adopt: ["from bundle shop/old"] }]);
  });
});
