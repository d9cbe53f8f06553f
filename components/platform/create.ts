import * as pulumi from "@pulumi/pulumi";
import { isObject } from "../../foundation/json/isObject";
import type { Charts } from "../charts/charts";
import type { Created, Provided, Site, Stateful } from "../contract/site";
import type { Feature } from "../feature";
import { FEATURES } from "../features";
import type { StateResources } from "../resources/ownState";
import type { PlatformConfig } from "./config/platformConfig";
import { balancerOwners, placedPods, plannedRoles } from "./facts";
import { createGuards } from "./guards";

/** A shorter text, such as `admin`, may be in another value by chance. What a feature marks itself stays secret. */
const LONG_ENOUGH = 8;

/** Returns a function that marks as secret what contains one of these texts, in plain values and in outputs. */
export function hiding(texts: readonly string[]): (value: unknown) => unknown {
  const long = texts.filter(({ length }) => length >= LONG_ENOUGH);
  const isSecret = (text: string): boolean => long.some((one) => text.includes(one));
  const holds = (value: unknown): boolean =>
    typeof value === "string" ? isSecret(value) : isPlain(value) && Object.values(value).some(holds);
  const hidden = (value: unknown): unknown => {
    if (pulumi.Output.isInstance(value)) return value.apply((known) => (holds(known) ? pulumi.secret(known) : known));
    if (typeof value === "string") return isSecret(value) ? pulumi.secret(value) : value;
    if (Array.isArray(value)) return value.map(hidden);
    return isPlain(value) ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, hidden(each)])) : value;
  };
  return hidden;
}

/** Whether a value is JSON, and no asset, resource or promise. */
const isPlain = (value: unknown): value is object =>
  Array.isArray(value) || (isObject(value) && Object.getPrototypeOf(value) === Object.prototype);

/** Creates the features in their order, then the guards. Returns the stack outputs. `offered`: see `Site`. */
export async function createPlatform(
  config: PlatformConfig,
  charts: Charts,
  state: Promise<StateResources>,
  offered: readonly string[] = [],
): Promise<pulumi.Inputs> {
  // Wherever a feature passes a secret of the config on, no preview and no state shows it.
  const hide = hiding(config.secrets);
  if (config.secrets.length > 0)
    pulumi.runtime.registerStackTransformation(({ props, opts }) => ({ props: hide(props) as object, opts }));
  const place = { ...IN_PLATFORM, offered };
  const { provides, outputs, ...created } = await createFeatures(FEATURES, config, charts, state, place);
  createGuards({ cluster: provides.cluster, ...created, balancers: balancerOwners(config) }, place);
  return hide(outputs) as pulumi.Inputs;
}

const IN_PLATFORM: Pick<Site, "named" | "parent" | "offered" | "made"> = { named: (role) => role, offered: [] };

/** Creates features, each upon what those before it provide. `place`: see `Site`. */
export async function createFeatures(
  features: readonly Feature[],
  config: PlatformConfig,
  charts: Charts,
  state: Promise<StateResources>,
  place = IN_PLATFORM,
): Promise<Required<Created>> {
  const [pods, roles] = [placedPods(config, features), plannedRoles(config, features)];
  const guarded: pulumi.Resource[] = [];
  const guards: pulumi.Resource[] = [];
  const stateful: Stateful[] = [];
  let provides: Provided = {};
  let outputs: pulumi.Inputs = {};
  for (const feature of features) {
    const site: Site = { ...place, charts, state, pods, roles, provided: provides, guarded: [...guarded] };
    const created: Created = (await feature.create?.(config, site)) ?? {};
    stateful.push(...(created.stateful ?? []));
    guarded.push(...(created.guarded ?? []), ...(created.stateful ?? []));
    guards.push(...(created.guards ?? []));
    provides = { ...provides, ...created.provides };
    outputs = { ...outputs, ...created.outputs };
  }
  return { guarded, guards, stateful, provides, outputs };
}
