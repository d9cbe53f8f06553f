import assert from "node:assert/strict";
import { ApiError } from "../../../service/api/errors";
import { mergeCluster } from "../../../service/api/runtimes/asked";

const AZURE = { vnetCidr: "10.250.0.0/16" };
const ZONE = { name: 1, cidr: "10.250.0.0/19" };

/** The path and the reason of the refusal; undefined if the cluster would change. */
function refusalOf(block: string, before: object, after: object): string | undefined {
  const provider = { [block]: after } as never;
  try {
    mergeCluster(
      { providerSpecificConfig: { [block]: before } },
      { gardenerConfig: { providerSpecificConfig: provider } },
    );
    return undefined;
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return error.message.replace("gardenerConfig.providerSpecificConfig.", "");
  }
}

describe("upgradeShoot", () => {
  it("skips an administrator without a name", () => {
    const change = { gardenerConfig: {}, administrators: ["", "ada@example.com"] };
    assert.deepEqual(mergeCluster({}, change), { administrators: ["ada@example.com"] });
  });

  it("takes the same settings of a cloud, and a last zone more", () => {
    assert.equal(refusalOf("azureConfig", AZURE, AZURE), undefined);
    assert.equal(refusalOf("gcpConfig", { zones: ["a"] }, { zones: ["a", "b"] }), undefined);
    assert.equal(refusalOf("azureConfig", { ...AZURE, azureZones: [ZONE] }, { azureZones: [ZONE] }), undefined);
  });

  for (const [block, before, after, expected] of [
    [
      "azureConfig",
      AZURE,
      { vnetCidr: "10.1.0.0/16" },
      'azureConfig.vnetCidr: found "10.1.0.0/16", and the cluster has "10.250.0.0/16" for good',
    ],
    [
      "azureConfig",
      AZURE,
      { ...AZURE, zones: ["1"] },
      "azureConfig.zones: found 1, and the cluster has none: a cluster without zones can't get any",
    ],
    [
      "gcpConfig",
      { zones: ["a", "b"] },
      { zones: ["b"] },
      "gcpConfig.zones: found b, and the cluster has a, b: a new zone can only be the last one",
    ],
    [
      "openStackConfig",
      { zones: ["a"], floatingPoolName: "one" },
      { zones: ["a"], floatingPoolName: "two" },
      'openStackConfig.floatingPoolName: found "two", and the cluster has "one" for good',
    ],
    [
      "azureConfig",
      { ...AZURE, azureZones: [ZONE, { name: 2, cidr: "10.250.32.0/19" }] },
      { ...AZURE, azureZones: [ZONE] },
      "azureConfig.azureZones: zone 2 is missing or not at its place",
    ],
  ] as const) {
    it(`refuses at once what Gardener never changes (${expected.split(":")[0]} to ${JSON.stringify(after)})`, () => {
      assert.equal(refusalOf(block, before, after), expected);
    });
  }
});
