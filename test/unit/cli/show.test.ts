import assert from "node:assert/strict";
import type { Platform } from "../../../components/runtime/platform/platform";
import type { Provisioner } from "../../../components/runtime/types/registry";
import { shownProvisioners, showText } from "../../../cli/provisioners/show";
import type { HostUsage, PoolUsage } from "../../../provider/ledger/usage";
import type { ResourceState, StackState } from "../../../engine/pulumi/state/checkpoint";

const PLATFORM: Platform = {
  provisioners: {
    pool: { type: "static", pool: "dev/pool" },
    eu: {
      type: "kubernetes",
      cluster: "https://eu",
      namespace: "runtimes",
      host: "http://*.eu",
      image: "i",
      timeoutSeconds: 1,
      dataDir: "/d",
      ping: "off",
      templates: [],
      kubeconfig: "a secret",
    },
  },
  defaultProvisioner: "pool",
  environments: { prod: "eu" },
  slot: { cpu: 1, memoryGb: 4, diskGb: 40 },
  ledgerUrl: "postgres://user:password@host/ledger",
};

function stack(name: string, provisioner: string, type: string, inputs: ResourceState["inputs"]): StackState {
  return { name, outputs: { provisioner }, resources: [{ urn: "urn", type, inputs }], pending: 0 };
}

const STACKS = [
  stack("a", "pool", "stackyard:index:SlotAllocation", { pool: "dev/pool" }),
  stack("b", "pool", "stackyard:index:SlotAllocation", { pool: "prod/pool" }),
  stack("c", "eu", "stackyard:index:ManifestSet", { cluster: "https://eu", namespace: "runtimes" }),
  stack("d", "eu", "stackyard:index:ManifestSet", { cluster: "https://other", namespace: "runtimes" }),
  stack("f", "garden", "stackyard:index:Shoot", {
    cluster: "https://garden",
    shoot: { metadata: { namespace: "garden-one" } },
  }),
  stack("e", "eu2", "stackyard:index:ManifestSet", { cluster: "https://eu", namespace: "runtimes" }),
];

const POOLS: [PoolUsage & { readonly hosts: [HostUsage, HostUsage] }] = [
  {
    pool: "dev/pool",
    hosts: [
      { host: "http://1", slots: 10, used: 4, free: 6, drain: false, deployments: [{ deployment: "a", slots: 4 }] },
      { host: "http://2", slots: 5, used: 0, free: 5, drain: true, deployments: [] },
    ],
  },
];

describe("the list of provisioners", () => {
  it("counts only the runtimes of this platform and of each provisioner", () => {
    const garden = { type: "gardener", cluster: "https://garden", namespace: "garden-one" } as Provisioner;
    const platform = { ...PLATFORM, provisioners: { ...PLATFORM.provisioners, garden } };
    const set = shownProvisioners(platform, POOLS, STACKS);
    assert.deepEqual(
      set.map(({ name, runtimes }) => [name, runtimes]),
      [
        ["pool", ["a"]],
        ["eu", ["c"]],
        ["garden", ["f"]],
      ],
    );
  });

  it("contains no secret", () => {
    assert.doesNotMatch(JSON.stringify(shownProvisioners(PLATFORM, POOLS, STACKS)), /secret|password/);
  });

  it("warns of an almost full pool", () => {
    const full = [{ ...POOLS[0], hosts: [{ ...POOLS[0].hosts[0], used: 9, free: 1 }, POOLS[0].hosts[1]] }];
    const set = shownProvisioners(PLATFORM, full, STACKS);
    assert.equal(set[0]?.warnings?.length, 2);
    assert.match(showText(set), /\nwarning: pool dev\/pool: 9 of 10 slots are taken \(90 %\); add slots/);
    assert.deepEqual(shownProvisioners(PLATFORM, POOLS, STACKS)[0]?.warnings, []);
  });

  it("has one line per provisioner and per host", () => {
    assert.equal(
      showText(shownProvisioners(PLATFORM, POOLS, STACKS)),
      [
        "NAME  TYPE        WHERE                   SLOTS USED  FREE  RUNTIMES  REMARK",
        "pool  static      2 hosts                          4    11         1  default",
        "                  http://1                         4     6         1",
        "                  http://2                         0     5         0  drained",
        "eu    kubernetes  runtimes on https://eu                           1  default of prod",
      ].join("\n"),
    );
  });
});
