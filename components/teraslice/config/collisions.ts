import type { KubernetesRef } from "../podConfig/names";
import { objectRefs } from "../cluster/plan";
import type { TerasliceConfig } from "../job/settings";
import { mismatch, renderPath, type Fault } from "../../../foundation/schema/faults";
import { foundAt, type FaultContext } from "../../../foundation/schema/issues";
import type { TerasliceInput } from "./schema";

/** A master and its path in the config. */
export interface Described {
  readonly base: readonly string[];
  readonly input: TerasliceInput;
  readonly config: TerasliceConfig;
}

/**
 * Faults for masters of one platform that share a name, which prefixes their indices, a node port, or names of objects.
 * They may share a namespace: a master finds its pods by its name and by ids of jobs.
 */
export function collisions(masters: readonly Described[], place: FaultContext): Fault[] {
  return masters.flatMap((one, index) =>
    masters.slice(0, index).flatMap((other) => {
      const theirs = renderPath(other.base);
      const { name } = one.config.teraslice;
      if (name === other.config.teraslice.name) {
        const at = [...one.base, "settings", "name"];
        const found = foundAt(place, at) === "nothing" ? `nothing, which means ${name}` : foundAt(place, at);
        return [mismatch(at, found, `another name than that of ${theirs}, whose indices and objects are named by it`)];
      }
      return [...samePort(one, other, place), ...sameObjects(one, other)];
    }),
  );
}

function samePort(one: Described, other: Described, place: FaultContext): Fault[] {
  const { nodePort } = one.config.service;
  const at = [...one.base, "service", "nodePort"];
  if (nodePort === undefined || nodePort !== other.config.service.nodePort) return [];
  return [mismatch(at, foundAt(place, at), `another port than that of ${renderPath(other.base)}`)];
}

function sameObjects(one: Described, other: Described): Fault[] {
  const theirs = new Set(objectRefs(other.config, other.config.jobs).map(textOf));
  const both = objectRefs(one.config, one.config.jobs)
    .map(textOf)
    .filter((each) => theirs.has(each));
  if (both.length === 0) return [];
  const found = `objects that ${renderPath(other.base)} makes too: ${both.join(", ")}`;
  return [mismatch(one.base, found, "objects of its own", "give it another namespace, or another name")];
}

const textOf = ({ kind, namespace, name }: KubernetesRef): string =>
  `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
