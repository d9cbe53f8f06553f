import assert from "node:assert/strict";
import { deployments, noRoom, noRoomToGrow, unknownPool } from "../../../provider/ledger/messages";
import type { HostLoad } from "../../../provider/ledger/planner";
import type { WantedSlots } from "../../../provider/ledger/wanted";

const host = (name: string, slots: number, used: number, drain = false): HostLoad => ({
  ...{ host: name, slots, used, weight: 1, drain },
});
const wanted = (slots: number, allowMove = false) =>
  ({ pool: "eu", deployment: "acme", slots, allowMove }) as unknown as WantedSlots;

describe("an error of the ledger", () => {
  it("names what is free in a pool without room, and the most that one host can give", () => {
    const hosts = [host("a", 6, 4), host("b", 6, 5), host("c", 6, 0, true)];
    assert.equal(
      noRoom(wanted(3), hosts).message,
      "pool eu has no host with room for 3 slots for deployment acme. Free: a 2 of 6, b 1 of 6, c 6 of 6 (drained). " +
        "Free some, request 2 or fewer, or add slots or hosts to its provisioner",
    );
    assert.match(noRoom(wanted(2), [host("a", 6, 5)]).message, /Free some, request 1 or fewer, or add slots/);
    for (const full of [host("a", 6, 6), host("a", 6, 7), host("a", 6, 0, true)])
      assert.match(noRoom(wanted(1), [full]).message, /room for 1 slot for .*Free some, add slots or hosts/);
  });

  it("says that a pool has no hosts", () => {
    assert.equal(
      noRoom(wanted(1), []).message,
      "pool eu has no hosts, so there is no room for 1 slot for deployment acme; add hosts to its provisioner",
    );
  });

  it("names why a deployment can't grow where it is, and what would help", () => {
    const text = (has: number, hosts: readonly HostLoad[], allowMove = false): string =>
      noRoomToGrow(wanted(3, allowMove), "a", has, hosts).message;
    assert.equal(
      text(2, [host("a", 6, 5)]),
      "deployment acme on host a of pool eu cannot grow from 2 to 3 slots: only 1 more are free there. Free: a 1 of 6. " +
        "Allow it to move to another host (--move, or allowMove of the resource; data does not come along), or free slots here",
    );
    assert.match(text(1, [host("b", 6, 6)]), /cannot grow from 1 to 3 slots: the host is not in the pool any more/);
    assert.match(text(0, [host("a", 6, 0, true)]), /cannot have its 3 slots back: the host is being drained/);
    assert.match(text(2, [host("a", 6, 5)], true), /\. No other host has room either$/);
  });

  it("names the pools that the ledger has", () => {
    const { message, name } = unknownPool("us", ["asia", "eu"]);
    assert.equal(name, "UnknownPoolError");
    assert.match(message, /^the ledger has no pool us; it has asia, eu\. Update the platform stack/);
    assert.match(unknownPool("us", ["eu"]).message, /; it has eu\./);
    assert.match(unknownPool("us", []).message, /; it has no pools\./);
  });

  it("lists at most twenty deployments", () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => ({ deployment: `d${at}`, slots: at }));
    assert.equal(deployments([{ deployment: "a", slots: 1 }]), "1 deployment: a (1 slot)");
    assert.equal(deployments(many(3)), "3 deployments: d0 (0 slots), d1 (1 slot), d2 (2 slots)");
    assert.match(deployments(many(20)), /^20 deployments: .*, d18 \(18 slots\), d19 \(19 slots\)$/);
    assert.match(deployments(many(21)), /^21 deployments: .*, d19 \(19 slots\), and 1 more$/);
  });
});
