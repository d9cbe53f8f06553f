import * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../cluster/cluster";
import { namespaceObjects } from "../namespaces/plan";
import type { NamespaceUser } from "../namespaces/settings";
import type { Taker } from "../resources/bundleRelease";
import type { DataPart } from "../resources/dataGuard";
import { ManifestSet } from "../resources/manifestSet";
import { shortHash } from "../../foundation/text/legalName";
import { component } from "../resources/package";
import { Bundle } from "./bundle";
import { reportOutcomes } from "./outcomes";
import type { PlannedInstance } from "./settings";
import type { BundleOutput } from "./output";

/** Finds the instances that take over objects of this one: those on the same cluster whose `adopt` names it. Pure. */
export function adoptersOf(one: PlannedInstance, all: readonly PlannedInstance[]): Taker[] {
  const ending = `from bundle ${one.settings.namespace}/${one.name}`;
  return all.flatMap(({ name, settings: { namespace, server, adopt } }) => {
    const own = adopt.filter((text) => text === ending || text.endsWith(` ${ending}`));
    if (own.length === 0 || server !== one.settings.server) return [];
    return [{ bundle: `${namespace}/${name}`, adopt: own }];
  });
}

export interface BundlesArgs {
  /** The platform's cluster, for instances without access of their own. */
  readonly cluster: Cluster | undefined;
  /** Plain, because each instance is a component. Sorted: dependencies come first. */
  readonly instances: readonly PlannedInstance[];
}

/** Users of a namespace. What the manifests need from it is unknown until they are read. */
const usersOf = (instances: readonly PlannedInstance[], server: string, namespace: string): NamespaceUser[] =>
  instances
    .map(({ settings }) => settings)
    .filter((one) => one.createNamespace && one.server === server && one.namespace === namespace)
    .map(({ protection }) => ({ kind: "bundles", config: protection, passes: "baseline" }));

/** A namespace with a configured policy, enabled or disabled, gets no generated ones. */
const arePoliciesGenerated = (users: readonly NamespaceUser[]): boolean =>
  users.length > 0 && users.every(({ config }) => config.networkPolicy === undefined);

/** At the end of a program, the SDK prints the stack trace of an error that has one. */
function withoutTrace(text: string): Error {
  const error = new pulumi.RunError(text);
  delete error.stack;
  return error;
}

/** All bundle instances of a platform, in dependency order. */
export class Bundles extends pulumi.ComponentResource {
  public readonly outputs: Readonly<Record<string, pulumi.Output<BundleOutput>>>;
  /** The parts that hold data. */
  public readonly dataParts: readonly DataPart[];

  constructor(name: string, { cluster, instances }: BundlesArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("Bundles"), name, {}, opts);
    const since = Date.now();
    const namespaces = new Map<string, ManifestSet>();
    const made = new Map<string, Bundle>();
    for (const instance of instances) {
      const { namespace, createNamespace, access, server: url, as } = instance.settings;
      const place = access ? { ...access, cluster: access.server } : cluster?.access;
      if (!place)
        throw new pulumi.InputPropertyError({ propertyPath: "cluster", reason: `${instance.name} needs one` });
      const key = `${url}/${namespace}`;
      const users = usersOf(instances, url, namespace);
      if (createNamespace && !namespaces.has(key)) {
        const objects = namespaceObjects(namespace, users);
        const { kubeconfig, context, cluster: server } = place;
        const where = {
          kubeconfig,
          context,
          cluster: server,
          name: "namespace",
          namespace,
          as,
          shared: true,
          // Deleting the namespace would delete all other objects in it.
          retained: true,
          outcome: {},
        };
        const own = { parent: this };
        const role = access ? `${shortHash(access.server, 8)}-${namespace}` : namespace;
        namespaces.set(key, new ManifestSet(`${name}-namespace-${role}`, { ...where, objects }, own));
      }
      const before = [
        [`namespace ${namespace}`, namespaces.get(key)] as const,
        ...instance.after.map((other) => [other, made.get(other)?.release] as const),
      ];
      const needs = Object.fromEntries(before.flatMap(([title, one]) => (one ? [[title, one]] : [])));
      const takers = adoptersOf(instance, instances);
      const args = { instance, place, needs, takers, networkPolicies: arePoliciesGenerated(users) };
      made.set(instance.name, new Bundle(`${name}-${instance.name}`, args, { parent: this }));
    }
    this.#report(instances, made, since);
    this.outputs = Object.fromEntries([...made].map(([key, { output }]) => [key, output]));
    this.dataParts = [...made.values()].map(({ dataPart }) => dataPart);
    this.registerOutputs({ outputs: this.outputs });
  }

  /** Logs a table of all outcomes. A failed instance does not stop the others, so the update fails here. */
  #report(instances: readonly PlannedInstance[], made: ReadonlyMap<string, Bundle>, since: number): void {
    const all = instances.flatMap(({ name, version, settings: { bundle } }) => {
      const outcome = made.get(name)?.release.outcome;
      return outcome ? [outcome.apply((one) => ({ name, bundle, version, outcome: one }))] : [];
    });
    pulumi.all(all).apply(async (instances) => {
      const { text, isNews, hasFailed } = reportOutcomes(instances, { since, preview: pulumi.runtime.isDryRun() });
      // Fails at the end of the program, so that the engine does not delete resources that are no longer registered.
      if (hasFailed) throw withoutTrace(text);
      if (isNews) await pulumi.log.info(text, this);
    });
  }
}
