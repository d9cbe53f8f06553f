import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Node } from "../../engine/snapshots/graph";
import { RESOURCES } from "../../../provider/schema";

const folder = path.join(__dirname, "../../fixtures/graphs");
const OWN = "stackyard:index:";
/** What refuses its deletion while somebody needs what is below it. */
const GUARDS = ["DataGuard", "LoadBalancerGuard", "ProvisionerRegistration", "StaticPool"];

const kindOf = ({ type }: Node): string => type.slice(type.lastIndexOf(":") + 1);
const labelOf = ({ type, name }: Node): string => `${type} ${name}`;
const isComponent = (node: Node): boolean => node.type.startsWith(OWN) && !Object.hasOwn(RESOURCES, kindOf(node));
const isGuard = (node: Node): boolean => node.type.startsWith(OWN) && GUARDS.includes(kindOf(node));
/** Only leave the state: providers, and tags, which the engine leaves to the deletion of their group. */
const isForgotten = ({ type }: Node): boolean =>
  type.startsWith("pulumi:providers:") || type === "aws:autoscaling/tag:Tag";

/** What is deleted after a resource: what it depends on, and its parents with what these depend on. */
function deletedAfter(nodes: readonly Node[], start: Node): ReadonlySet<Node> {
  const byLabel = new Map(nodes.map((node) => [labelOf(node), node]));
  const components = new Map(nodes.filter(isComponent).map((node) => [node.name, node]));
  const reached = new Set<Node>();
  const visit = ({ parent, dependsOn = [] }: Node): void => {
    const next = [
      ...dependsOn.map((label) => byLabel.get(label)),
      parent === undefined ? undefined : components.get(parent),
    ];
    for (const node of next) {
      if (node === undefined || reached.has(node)) continue;
      reached.add(node);
      visit(node);
    }
  };
  visit(start);
  return reached;
}

const read = (file: string): Node[] => JSON.parse(readFileSync(path.join(folder, file), "utf8")) as Node[];

describe("a destroy that a guard refuses", () => {
  for (const file of readdirSync(folder)) {
    it(`has deleted nothing of ${file}`, () => {
      const nodes = read(file);
      const labels = nodes.map(labelOf);
      assert.equal(new Set(labels).size, labels.length, "labels are unique");
      const guards = nodes.filter(isGuard);
      assert.ok(guards.some((guard) => kindOf(guard) === "DataGuard"));
      for (const guard of guards) {
        const after = deletedAfter(nodes, guard);
        const before = nodes.filter(
          (node) => ![isGuard, isComponent, isForgotten].some((is) => is(node)) && !after.has(node),
        );
        assert.deepEqual(before.map(labelOf), [], `deleted while ${labelOf(guard)} is asked`);
      }
    });

    it(`has every pool of ${file} in the ledger, unless the pool itself refuses`, () => {
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
