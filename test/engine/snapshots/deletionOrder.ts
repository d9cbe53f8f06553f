/** The order of a destroy, from the graph of a platform. */

import { RESOURCES } from "../../../provider/resources/registry";
import type { Node } from "./graph";

const OWN = "stackyard:index:";
/** What refuses its deletion while somebody needs what is below it. */
const GUARDS = ["DataGuard", "LoadBalancerGuard", "ProvisionerRegistration", "StaticPool"];

export const kindOf = ({ type }: Node): string => type.slice(type.lastIndexOf(":") + 1);
export const labelOf = ({ type, name }: Node): string => `${type} ${name}`;
const isComponent = (node: Node): boolean => node.type.startsWith(OWN) && !Object.hasOwn(RESOURCES, kindOf(node));
export const isGuard = (node: Node): boolean => node.type.startsWith(OWN) && GUARDS.includes(kindOf(node));
/** Only leave the state: providers, and tags, which the engine leaves to the deletion of their group. */
const isForgotten = ({ type }: Node): boolean =>
  type.startsWith("pulumi:providers:") || type === "aws:autoscaling/tag:Tag";

/** What is deleted after a resource: what it depends on, and its parents with what these depend on. */
export function deletedAfter(nodes: readonly Node[], start: Node): ReadonlySet<Node> {
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

/** What a destroy deletes before, or while, the guard is asked. */
export function deletedBefore(nodes: readonly Node[], guard: Node): string[] {
  const after = deletedAfter(nodes, guard);
  return nodes
    .filter((node) => ![isGuard, isComponent, isForgotten].some((is) => is(node)) && !after.has(node))
    .map(labelOf);
}
