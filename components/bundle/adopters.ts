import type { Taker } from "../resources/bundleRelease";
import type { PlannedInstance } from "./settings";

/** Finds the instances that take over objects of this one: those on the same cluster whose `adopt` names it. Pure. */
export function adoptersOf(one: PlannedInstance, all: readonly PlannedInstance[]): Taker[] {
  const ending = `from bundle ${one.settings.namespace}/${one.name}`;
  return all.flatMap(({ name, settings: { namespace, server, adopt } }) => {
    const own = adopt.filter((text) => text === ending || text.endsWith(` ${ending}`));
    if (own.length === 0 || server !== one.settings.server) return [];
    return [{ bundle: `${namespace}/${name}`, adopt: own }];
  });
}
