import * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../cluster/cluster";
import type { ClusterAccess } from "../cluster/access/kubeconfig";
import type { GardenerConfig, KubernetesConfig } from "./settings";
import { namespaceObjects } from "../namespaces/plan";
import { component } from "../resources/package";
import { ManifestSet } from "../resources/manifestSet";
import { ProvisionerRegistration, type ProvisionerRegistrationArgs } from "../resources/provisionerRegistration";
import { StaticPool, type PoolHost } from "../resources/staticPool";
import type { Provisioner } from "../runtime/platform/platform";
import { isAlone } from "../cluster/access/placed";
import { planNamespaces, poolName } from "./plan";

export interface ProvisionerSetArgs {
  /** Hosts of each static provisioner, by provisioner name. Plain, because each provisioner is a resource. */
  readonly pools: Readonly<Record<string, readonly PoolHost[]>>;
  /** Kubernetes provisioners by name. Plain, because namespaces are resources. */
  readonly kubernetes: Readonly<Record<string, KubernetesConfig>>;
  /** Gardener provisioners by name. Default: none. */
  readonly gardener?: Readonly<Record<string, GardenerConfig>>;
  /** PostgreSQL URL of the ledger; a secret. Required if there is a pool. */
  readonly ledgerUrl?: pulumi.Input<string>;
  /** The platform's cluster. Required if a Kubernetes provisioner has no access of its own. */
  readonly cluster?: Cluster;
  /** Server URL of that cluster, if known. Used to recognize a provisioner's own kubeconfig for the same cluster. */
  readonly clusterServer?: string;
  /** Platform stack, which prefixes the pools' names in the ledger. Default: this stack. */
  readonly stack?: string;
  /**
   * What is deleted only after the check that no deployment uses a provisioner, so that a refused destroy has deleted
   * nothing. Default: nothing.
   */
  readonly guarded?: readonly pulumi.Resource[];
}

/**
 * The provisioner set of a platform: registers static pools in the ledger and creates namespaces. To add a type of
 * provisioner, start at components/runtime/types/registry.ts.
 */
export class ProvisionerSet extends pulumi.ComponentResource {
  /** The provisioners as runtime stacks read them. Secret, because they contain kubeconfigs. */
  public readonly provisioners: pulumi.Output<Record<string, Provisioner>>;
  /** Pools and namespaces. */
  public readonly places: readonly pulumi.Resource[];

  constructor(name: string, args: ProvisionerSetArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("ProvisionerSet"), name, {}, opts);
    const stack = args.stack ?? pulumi.getStack();
    const exported: [string, pulumi.Input<Provisioner>][] = [];
    const namespaces = this.createNamespaces(name, args);
    const guarded = [...(args.guarded ?? []), ...namespaces];

    const pools: StaticPool[] = [];
    for (const [provisioner, hosts] of Object.entries(args.pools)) {
      const { ledgerUrl } = args;
      if (ledgerUrl === undefined) throw missing("ledgerUrl", `the pool ${provisioner} is kept in the ledger`);
      const pool = poolName(stack, provisioner);
      // A manually imported pool has the provisioner's name and no parent.
      const aliases = [{ name: provisioner, parent: pulumi.rootStackResource }];
      const opts = { parent: this, aliases, dependsOn: guarded };
      pools.push(new StaticPool(`${name}-${provisioner}`, { ledgerUrl, pool, hosts: [...hosts] }, opts));
      exported.push([provisioner, { type: "static", pool }]);
    }
    this.places = [...namespaces, ...pools];

    const platform = `${pulumi.getOrganization()}/${pulumi.getProject()}/${stack}`;
    // Deleted before the pools: a registration only checks, while a pool leaves the ledger.
    const last = { parent: this, dependsOn: [...guarded, ...pools] };
    const register = (registered: Omit<ProvisionerRegistrationArgs, "platform">) =>
      new ProvisionerRegistration(`${name}-${registered.provisioner}`, { ...registered, platform }, last);
    for (const [provisioner, { access, settings }] of Object.entries(args.kubernetes)) {
      const way = access ?? args.cluster;
      if (way === undefined) throw missing("cluster", `the provisioner ${provisioner} uses the platform's`);
      exported.push([provisioner, throughCluster(settings, way)]);
      const { kubeconfig, context } = access === undefined ? (args.cluster?.access ?? {}) : accessOf(access);
      const { namespace } = settings;
      const alone = isAlone(provisioner, args.kubernetes, args.clusterServer);
      register({ kubeconfig, context, provisioner, namespace, alone });
    }

    const gardener = args.gardener ?? {};
    for (const [provisioner, { access, settings }] of Object.entries(gardener)) {
      const { kubeconfig, context, server } = access;
      const { namespace } = settings;
      const alone = isAlone(provisioner, gardener, undefined);
      register({ kubeconfig, context, provisioner, namespace, gives: "cluster", alone });
      exported.push([provisioner, { type: "gardener", ...settings, kubeconfig, context, cluster: server }]);
    }

    this.provisioners = pulumi.secret(pulumi.output(Object.fromEntries(exported)));
    this.registerOutputs({ provisioners: this.provisioners });
  }

  /** Creates one ManifestSet per namespace, so that removing one from the config does not affect the others. */
  private createNamespaces(name: string, args: ProvisionerSetArgs): readonly ManifestSet[] {
    const planned = planNamespaces(args.kubernetes, args.clusterServer);
    return planned.map(({ key, formerKey, namespace, access, users }) => {
      const way = access === undefined ? args.cluster?.access : accessOf(access);
      if (way === undefined) throw missing("cluster", `the namespace ${namespace} is to be made in the platform's`);
      const objects = namespaceObjects(namespace, users);
      const aliases = formerKey === undefined ? [] : [{ name: `${name}-${formerKey}` }];
      // The namespace may contain runtimes and their disks, which only runtime stacks may delete.
      const set = { ...way, name: "namespace", namespace, objects, shared: true, retained: true };
      return new ManifestSet(`${name}-${key}`, set, { parent: this, aliases });
    });
  }
}

/** A provisioner's own access, as arguments of a ManifestSet. */
const accessOf = ({ kubeconfig, context, server }: ClusterAccess): Cluster["access"] => ({
  kubeconfig: kubeconfig && pulumi.secret(kubeconfig),
  context,
  cluster: server,
});

function missing(propertyPath: string, because: string): Error {
  return new pulumi.InputPropertyError({ propertyPath, reason: `missing, but ${because}` });
}

/** Combines the settings with the access to the cluster, as runtime stacks need them. */
function throughCluster(
  settings: KubernetesConfig["settings"],
  way: ClusterAccess | Cluster,
): pulumi.Output<Provisioner> {
  return pulumi.all([way.kubeconfig, way.context, way.server]).apply(([kubeconfig, context, cluster]): Provisioner => ({
    type: "kubernetes",
    ...settings,
    kubeconfig,
    context,
    cluster,
  }));
}
