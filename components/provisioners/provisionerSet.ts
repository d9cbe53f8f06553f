import * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../cluster/cluster";
import type { ClusterAccess } from "../cluster/access/kubeconfig";
import { isAlone } from "../cluster/access/placed";
import { component } from "../resources/package";
import { ProvisionerRegistration, type ProvisionerRegistrationArgs } from "../resources/provisionerRegistration";
import { StaticPool } from "../resources/staticPool";
import { allTypes, ofType, type Provisioner } from "../runtime/types/registry";
import { accessTo, createNamespaces, missing, type NamespacesArgs } from "./createNamespaces";
import { poolName } from "./plan";

export interface ProvisionerSetArgs extends NamespacesArgs {
  /** PostgreSQL URL of the ledger; a secret. Required if a provisioner has a pool. */
  readonly ledgerUrl?: pulumi.Input<string>;
  /** Platform stack, which prefixes the pools' names in the ledger. Default: this stack. */
  readonly stack?: string;
  /**
   * What is deleted only after the check that no deployment uses a provisioner, so that a refused destroy has deleted
   * nothing. Default: nothing.
   */
  readonly guarded?: readonly pulumi.Resource[];
}

/** The provisioner set of a platform: registers pools in the ledger, provisioners in clusters, and creates namespaces. */
export class ProvisionerSet extends pulumi.ComponentResource {
  /** The provisioners as runtime stacks read them. Secret, because they contain kubeconfigs. */
  public readonly provisioners: pulumi.Output<Record<string, Provisioner>>;
  /** Pools and namespaces. */
  public readonly places: readonly pulumi.Resource[];

  constructor(name: string, args: ProvisionerSetArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("ProvisionerSet"), name, {}, opts);
    const stack = args.stack ?? pulumi.getStack();
    const exported: Record<string, pulumi.Input<object>> = {};
    const namespaces = createNamespaces(name, args, this);
    const guarded = [...(args.guarded ?? []), ...namespaces];

    const pools: StaticPool[] = [];
    const registrations: Registration[] = [];
    for (const type of allTypes) {
      const all = ofType(type, args.provisioners);
      for (const [provisioner, { hosts, access, settings }] of Object.entries(all)) {
        if (hosts !== undefined) {
          const { ledgerUrl } = args;
          if (ledgerUrl === undefined) throw missing("ledgerUrl", `the pool ${provisioner} is kept in the ledger`);
          const pool = poolName(stack, provisioner);
          // A manually imported pool has the provisioner's name and no parent.
          const aliases = [{ name: provisioner, parent: pulumi.rootStackResource }];
          const opts = { parent: this, aliases, dependsOn: guarded };
          pools.push(new StaticPool(`${name}-${provisioner}`, { ledgerUrl, pool, hosts: [...hosts] }, opts));
          exported[provisioner] = { type: type.type, ...settings, pool };
          continue;
        }
        const way = access ?? args.cluster;
        if (way === undefined) throw missing("cluster", `the provisioner ${provisioner} uses the platform's`);
        const { kubeconfig, context } = access === undefined ? (args.cluster?.access ?? {}) : accessTo(access);
        const { namespace } = settings;
        const alone = isAlone(provisioner, all, args.clusterServer);
        const registered = { kubeconfig, context, provisioner, namespace, gives: type.gives, alone };
        registrations.push({ registered, way, settings: { type: type.type, ...settings } });
      }
    }
    this.places = [...namespaces, ...pools];

    const platform = `${pulumi.getOrganization()}/${pulumi.getProject()}/${stack}`;
    // Deleted before the pools: a registration only checks, while a pool leaves the ledger.
    const last = { parent: this, dependsOn: [...guarded, ...pools] };
    for (const { registered, way, settings } of registrations) {
      const { provisioner } = registered;
      const { clusterUid: uid } = new ProvisionerRegistration(
        `${name}-${provisioner}`,
        { ...registered, platform },
        last,
      );
      exported[provisioner] = pulumi
        .all([way.kubeconfig, way.context, way.server, uid])
        .apply(([kubeconfig, context, cluster, clusterUid]) => ({
          ...settings,
          kubeconfig,
          context,
          cluster,
          clusterUid,
        }));
    }

    // What the settings and the way to a pool or cluster are together is what the type's `spec` describes.
    this.provisioners = pulumi.secret(pulumi.output(exported)) as pulumi.Output<Record<string, Provisioner>>;
    this.registerOutputs({ provisioners: this.provisioners });
  }
}

/** A provisioner in a cluster. */
interface Registration {
  readonly registered: Omit<ProvisionerRegistrationArgs, "platform">;
  readonly way: ClusterAccess | Cluster;
  /** What runtime stacks read besides the way. */
  readonly settings: object;
}
