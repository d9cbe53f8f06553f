import assert from "node:assert/strict";
import { placesOf, setDrain, tenantsOf } from "../../../cli/provisioners/drain";
import { StackFile } from "../../../engine/stack/file";
import type { Platform } from "../../../components/runtime/platform/platform";

const TEXT = `config:
  stackyard:provisioners:
    # The first ones.
    shared:
      type: static
      spec:
        runtimes:
          # Strong.
          - host: http://a # in the cellar
            slots: 6
          - host: http://b
            slots: 6
            drain: false # for now
    second:
      type: static
      spec:
        runtimes: [ { host: http://b, slots: 6 } ]
    eu: { type: kubernetes, spec: {} }
`;

const ALL = [
  { provisioner: "shared", index: 1 },
  { provisioner: "second", index: 0 },
];

describe("draining a host in the stack file", () => {
  it("changes the host in every pool, and keeps comments", () => {
    const file = StackFile.of(TEXT);
    assert.deepEqual(placesOf(file, "http://b"), ALL);
    setDrain(file, ALL, true);
    const drained = TEXT.replace("drain: false #", "drain: true #");
    assert.equal(file.text(), drained.replace("host: http://b, slots: 6 }", "host: http://b, slots: 6, drain: true }"));
  });

  it("can be undone, and changes nothing if nothing differs", () => {
    const file = StackFile.of(TEXT);
    setDrain(file, ALL, false);
    assert.equal(file.text(), TEXT);
    setDrain(file, [{ provisioner: "shared", index: 0 }], true);
    assert.match(file.text(), /host: http:\/\/a # in the cellar\n {12}slots: 6\n {12}drain: true\n/);
    setDrain(file, [{ provisioner: "shared", index: 0 }], false);
    assert.equal(file.text(), TEXT);
  });

  it("lists the existing hosts if the host is unknown", () => {
    const file = StackFile.of(TEXT);
    assert.throws(
      () => placesOf(file, "http://aa"),
      /expected a host .*: http:\/\/a, http:\/\/b; did you mean http:\/\/a\?/,
    );
    assert.throws(() => placesOf(StackFile.of("config: {}"), "http://a"), /\(there are none\)/);
  });
});

describe("the deployments of a host", () => {
  it("are listed from the ledger, each with its runtime stack", () => {
    const platform = {
      provisioners: { shared: { type: "static", pool: "dev/shared" }, second: { type: "static", pool: "dev/second" } },
    } as unknown as Platform;
    const host = (name: string, ...deployments: string[]) => ({
      host: name,
      slots: 6,
      used: 2,
      free: 4,
      drain: true,
      deployments: deployments.map((deployment) => ({ deployment, slots: 2 })),
    });
    const usage = [
      { pool: "dev/shared", hosts: [host("http://a", "x"), host("http://b", "one", "other")] },
      { pool: "prod/shared", hosts: [host("http://b", "foreign")] },
    ];
    const type = "stackyard:index:SlotAllocation";
    const stacks = [
      {
        name: "stack-1",
        outputs: {},
        pending: 0,
        resources: [{ urn: "", type, inputs: { pool: "dev/shared", deployment: "one" } }],
      },
    ];
    assert.deepEqual(tenantsOf("http://b", platform, usage, stacks), [
      { deployment: "one", slots: 2, provisioner: "shared", stack: "stack-1" },
      { deployment: "other", slots: 2, provisioner: "shared", stack: undefined },
    ]);
  });
});
