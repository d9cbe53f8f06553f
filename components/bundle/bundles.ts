import * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../cluster/cluster";
import { namespaceObjects } from "../namespaces/plan";
import type { NamespaceUser } from "../namespaces/settings";
import type { DataPart } from "../resources/dataGuard";
import { ManifestSet } from "../resources/manifestSet";
import { shortHash } from "../../foundation/text/legalName";
import { component } from "../resources/package";
import { Bundle } from "./bundle";
import { reportOutcomes } from "./outcomes";
import type { PlannedInstance } from "./settings";
import { takersOf } from "./takers";
import type { BundleOutput } from "./output";

export interface BundlesArgs {
  /** The platform's, for instances that name no other. */
  readonly cluster: Cluster | undefined;
  /** Plain, because each is a component. Each after those that it needs. */
  readonly instances: readonly PlannedInstance[];
}

/** What manifests ask for of a namespace is not known before they are read. */
const usersOf = (instances: readonly PlannedInstance[], server: string, namespace: string): NamespaceUser[] =>
  instances
    .map(({ settings }) => settings)
    .filter((one) => one.createNamespace && one.server === server && one.namespace === namespace)
    .map(({ protection }) => ({ kind: "bundles", config: protection, passes: "baseline" }));

/** A policy for the whole namespace that somebody configured is not opened by others, nor is a disabled one undone. */
const arePoliciesGenerated = (users: readonly NamespaceUser[]): boolean =>
  users.length > 0 && users.every(({ config }) => config.networkPolicy === undefined);

/** At the end of a program the SDK prints the stack of any error that has one. */
function withoutTrace(text: string): Error {
  const error = new pulumi.RunError(text);
  delete error.stack;
  return error;
}

/** The instances of bundles that a platform has, in the order in which they need each other. */
export class Bundles extends pulumi.ComponentResource {
  public readonly outputs: Readonly<Record<string, pulumi.Output<BundleOutput>>>;
  /** What of them holds data. */
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
        const where = { kubeconfig, context, cluster: server, name: "namespace", namespace, as, outcome: {} };
        // What others have in it would go with it.
        const own = { parent: this, retainOnDelete: true };
        const role = access ? `${shortHash(access.server, 8)}-${namespace}` : namespace;
        namespaces.set(key, new ManifestSet(`${name}-namespace-${role}`, { ...where, objects }, own));
      }
      const before = [
        [`namespace ${namespace}`, namespaces.get(key)] as const,
        ...instance.after.map((other) => [other, made.get(other)?.release] as const),
      ];
      const needs = Object.fromEntries(before.flatMap(([title, one]) => (one ? [[title, one]] : [])));
      const takers = takersOf(instance, instances);
      const args = { instance, place, needs, takers, networkPolicies: arePoliciesGenerated(users) };
      made.set(instance.name, new Bundle(`${name}-${instance.name}`, args, { parent: this }));
    }
    this.#report(instances, made, since);
    this.outputs = Object.fromEntries([...made].map(([key, { output }]) => [key, output]));
    this.dataParts = [...made.values()].map(({ dataPart }) => dataPart);
    this.registerOutputs({ outputs: this.outputs });
  }

  /** One that failed stopped no other, so it is here that the update fails: with a table of all of them. */
  #report(instances: readonly PlannedInstance[], made: ReadonlyMap<string, Bundle>, since: number): void {
    const all = instances.flatMap(({ name, version, settings: { bundle } }) => {
      const outcome = made.get(name)?.release.outcome;
      return outcome ? [outcome.apply((one) => ({ name, bundle, version, outcome: one }))] : [];
    });
    pulumi.all(all).apply(async (instances) => {
      const { text, isNews, hasFailed } = reportOutcomes(instances, { since, preview: pulumi.runtime.isDryRun() });
      // The program fails at its end, so that the engine removes nothing that left it.
      if (hasFailed) throw withoutTrace(text);
      if (isNews) await pulumi.log.info(text, this);
    });
  }
}
