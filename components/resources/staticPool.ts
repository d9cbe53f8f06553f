// Generated from provider/resources/*/schema.ts by `npm run generate`; a test keeps it true.

import * as pulumi from "@pulumi/pulumi";

/** One pre-provisioned runtime of a pool. */
export interface PoolHost {
  /** URL of the runtime; identifies it in the whole ledger. */
  readonly host: string;
  /** How many slots it has. */
  readonly slots: number;
  /** Directory for data on that host. */
  readonly dataDir: string;
  /** Audience (JWT) of the runtime. */
  readonly audienceUrl: string;
  /** Relative share of load; a host of weight 2 counts as half as full. Default: 1. */
  readonly weight?: number;
  /** True keeps what it has and gives it nothing new. Default: false. */
  readonly drain?: boolean;
}

export interface StaticPoolArgs {
  /** PostgreSQL URL of the ledger; a secret. */
  readonly ledgerUrl: pulumi.Input<string>;
  /** Name of the pool in the ledger: `<platform stack>/<provisioner>`. Changing it replaces the pool. */
  readonly pool: string;
  /** The hosts. Removing one that has deployments, or shrinking it below what is used, is an error. */
  readonly hosts: readonly PoolHost[];
}

/** A pool of slots in the ledger. Destroying it fails while slots are taken. */
export class StaticPool extends pulumi.CustomResource {
  constructor(name: string, args: StaticPoolArgs, opts?: pulumi.CustomResourceOptions) {
    super(
      "stackyard:index:StaticPool",
      name,
      { ...args, ledgerUrl: pulumi.secret(args.ledgerUrl) },
      pulumi.mergeOptions(opts, { additionalSecretOutputs: ["ledgerUrl"] }),
    );
  }
}
