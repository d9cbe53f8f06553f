// Generated from provider/resources/*/*Schema.ts by `npm run generate`; a test keeps it true.

import * as pulumi from "@pulumi/pulumi";

/** One pre-provisioned runtime of a pool. */
export interface PoolHost {
  /** URL of the runtime. It identifies the runtime in the ledger, across all pools. */
  readonly host: string;
  /** Number of slots of the runtime. */
  readonly slots: number;
  /** Directory for data on that host. */
  readonly dataDir: string;
  /** Audience (JWT) of the runtime. */
  readonly audienceUrl: string;
  /**
   * Share of the load: a host of weight 2 counts as half as full as one of weight 1 with the same slots in use.
   * Default: 1.
   */
  readonly weight?: number;
  /** `true`: the host keeps its deployments and gets no new ones. Default: false. */
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
