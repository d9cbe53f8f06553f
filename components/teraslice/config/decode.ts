import { foundAt, type FaultContext } from "../../../foundation/schema/issues";
import { objectRefs } from "../cluster/plan";
import { rbacWarning } from "../cluster/rbac";
import { masterComponent, objectsOf, type KubernetesRef } from "../podConfig/names";
import type { TerasliceMastersConfig } from "../cluster/masters";
import type { TerasliceConfig } from "../job/settings";
import type { TerasliceSettings } from "../settings";
import { valueAt } from "../../../foundation/schema/describe";
import { mismatch, renderPath, type Path, type Fault } from "../../../foundation/schema/faults";
import type { DecodeContext } from "../../contract/decoding";
import type { Resolver } from "../../../foundation/schema/resolver";
import { terasliceFaults } from "./checks";
import { decodeJobs } from "./jobs";
import { resolveTeraslice } from "./resolve";
import type { TerasliceInput } from "./schema";

/** A master and its path in the config. */
interface Described {
  readonly base: readonly string[];
  readonly input: TerasliceInput;
  readonly config: TerasliceConfig;
}

/**
 * Faults for masters of one platform that share a name, which prefixes their indices, a node port, or names of objects.
 * They may share a namespace: a master finds its pods by its name and by ids of jobs.
 */
function collisions(masters: readonly Described[], place: FaultContext): Fault[] {
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
  const { place, faults, warnings, disabled } = resolver;
  if (described.length > 0 && place.root["cluster"] === undefined) {
    faults.push(mismatch(["cluster"], "nothing", "a cluster, because Teraslice runs in it"));
  }
  const on = described.filter(({ input }) => input.enabled);
  faults.push(...collisions(on, place));
  for (const { config } of on) warnings.push(...warningsOf(config));
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

const warningsOf = (config: TerasliceConfig): string[] =>
  [rbacWarning(config), ...config.warnings, ...config.jobs.flatMap((job) => job.warnings)].filter(
    (line) => line !== undefined,
  );

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
