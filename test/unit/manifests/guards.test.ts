import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Node } from "../../engine/snapshots/graph";
import { deletedAfter, deletedBefore, isGuard, kindOf, labelOf } from "../../engine/snapshots/deletionOrder";

const folder = path.join(__dirname, "../../fixtures/graphs");
const read = (file: string): Node[] => JSON.parse(readFileSync(path.join(folder, file), "utf8")) as Node[];

describe("a destroy that a guard rejects", () => {
  for (const file of readdirSync(folder)) {
    it(`deletes nothing of ${file}`, () => {
      const nodes = read(file);
      const labels = nodes.map(labelOf);
      assert.equal(new Set(labels).size, labels.length, "labels are unique");
      const guards = nodes.filter(isGuard);
      assert.ok(guards.some((guard) => kindOf(guard) === "DataGuard"));
      for (const guard of guards) {
        assert.deepEqual(deletedBefore(nodes, guard), [], `deleted while ${labelOf(guard)} is asked`);
      }
    });

    it(`deletes no registration or pool of ${file} before the guard of its data`, () => {
      const nodes = read(file);
      const after = deletedAfter(nodes, nodes.find((node) => kindOf(node) === "DataGuard") as Node);
      const others = nodes.filter(
        (node) => isGuard(node) && !["DataGuard", "LoadBalancerGuard"].includes(kindOf(node)),
      );
      assert.deepEqual(others.filter((guard) => !after.has(guard)).map(labelOf), []);
    });

    it(`keeps every pool of ${file} in the ledger, unless the pool itself rejects the destroy`, () => {
      const nodes = read(file);
      const pools = nodes.filter((node) => kindOf(node) === "StaticPool");
      for (const guard of nodes.filter((node) => isGuard(node) && !pools.includes(node))) {
        const after = deletedAfter(nodes, guard);
        assert.deepEqual(
          pools.filter((pool) => !after.has(pool)),
          [],
        );
      }
    });
  }
});
