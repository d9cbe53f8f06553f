import { masterComponent, objectsOf } from "../podConfig/names";
import type { TerasliceMastersConfig } from "../cluster/masters";
import type { TerasliceConfig } from "../job/settings";
import type { TerasliceSettings } from "../settings";
import { valueAt } from "../../../foundation/schema/describe";
import { mismatch, renderPath, type Path } from "../../../foundation/schema/faults";
import type { DecodeContext } from "../../contract/decoding";
import type { Resolver } from "../../../foundation/schema/resolver";
import { terasliceFaults } from "./checks";
import { collisions, type Described } from "./collisions";
import { decodeJobs } from "./jobs";
import { resolveTeraslice } from "./resolve";
import type { TerasliceInput } from "./schema";

/** Config keys of masters: one at `teraslice`, others by name at `terasliceClusters`. */
interface TerasliceInputs {
  readonly teraslice: TerasliceInput | undefined;
  readonly terasliceClusters: Readonly<Record<string, TerasliceInput>> | undefined;
}

/** Decodes the enabled masters. Adds faults to the resolver. */
export function decodeTeraslice(
  { teraslice, terasliceClusters = {} }: TerasliceInputs,
  resolver: Resolver & Pick<DecodeContext, "disabled">,
): TerasliceMastersConfig {
  const named = Object.entries(terasliceClusters).sort(([a], [b]) => (a < b ? -1 : 1));
  const given: { readonly base: readonly string[]; readonly input: TerasliceInput }[] = [
    ...(teraslice ? [{ base: ["teraslice"], input: teraslice }] : []),
    ...named.map(([name, input]) => ({ base: ["terasliceClusters", name], input })),
  ];
  const described = given.map(({ base, input }): Described => ({
    base,
    input,
    config: decodeMaster(input, base, resolver),
  }));
  const { place, faults, disabled } = resolver;
  if (described.length > 0 && place.root["cluster"] === undefined) {
    faults.push(mismatch(["cluster"], "nothing", "a cluster, because Teraslice runs in it"));
  }
  const on = described.filter(({ input }) => input.enabled);
  faults.push(...collisions(on, place));
  for (const { base, input, config } of described) {
    if (input.enabled) continue;
    const [, name] = base;
    disabled.push({
      component: renderPath(base),
      token: "TerasliceCluster",
      resource: objectsOf(masterComponent(name)),
      consequences: consequencesOf(config),
    });
  }
  const single = on.find(({ base }) => base.length === 1)?.config;
  return {
    ...(single && { teraslice: single }),
    terasliceClusters: Object.fromEntries(
      on.flatMap(({ base: [, name], config }) => (name === undefined ? [] : [[name, config]])),
    ),
  };
}

/** Decodes a master, enabled or not. The default name of a master in `terasliceClusters` is its key. */
export function decodeMaster(input: TerasliceInput, base: Path, resolver: Resolver): TerasliceConfig {
  const [, key] = base;
  const isNamed = key === undefined || valueAt(resolver.place.root, [...base, "settings", "name"]) !== undefined;
  const named = isNamed ? input : { ...input, settings: { ...input.settings, name: String(key) } };
  const settings = resolveTeraslice(named, base);
  resolver.faults.push(...terasliceFaults(named, settings, resolver.place, base));
  return { ...settings, jobs: decodeJobs(input.jobs, settings, resolver, base) };
}

function consequencesOf({ createNamespace, teraslice }: TerasliceSettings): string {
  const namespace = teraslice.kubernetes_namespace;
  return createNamespace
    ? `its jobs end, and the namespace ${namespace} is deleted with everything in it; state and assets in its stores stay`
    : `its jobs continue in the namespace ${namespace} without a master, so stop them before; state and assets in its stores stay`;
}
