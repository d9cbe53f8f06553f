// Generated from provider/resources/*/*Schema.ts by `npm run generate`; a test keeps it true.

import * as pulumi from "@pulumi/pulumi";

export interface SlotAllocationArgs {
  /** PostgreSQL URL of the ledger; a secret. */
  readonly ledgerUrl: pulumi.Input<string>;
  /** Pool: `<platform stack>/<provisioner>`. Changing it replaces the allocation; the new one is created first. */
  readonly pool: pulumi.Input<string>;
  /** Deployment that the slots are for. Changing it replaces the allocation. */
  readonly deployment: pulumi.Input<string>;
  /** Number of slots, 1 or more. A change is made in place if the host has enough free slots. */
  readonly slots: pulumi.Input<number>;
  /** `true`: it may move to another host if its own host has too few free slots or is drained. Default: false. */
  readonly allowMove?: pulumi.Input<boolean>;
  /**
   * Stored in the state with the resource and used nowhere else. A change of its member `change` alone does not cause
   * an update.
   */
  readonly record?: pulumi.Input<Record<string, unknown>>;
}

/** Slots of one pool, allocated to one deployment. The host stays the same across updates. */
export class SlotAllocation extends pulumi.CustomResource {
  /** URL of the chosen runtime. */
  declare public readonly host: pulumi.Output<string>;
  /** Audience (JWT) of that runtime. */
  declare public readonly audienceUrl: pulumi.Output<string>;
  /** Directory for data on that runtime. */
  declare public readonly dataDir: pulumi.Output<string>;

  constructor(name: string, args: SlotAllocationArgs, opts?: pulumi.CustomResourceOptions) {
    super(
      "stackyard:index:SlotAllocation",
      name,
      {
        ...args,
        ledgerUrl: pulumi.secret(args.ledgerUrl),
        host: undefined,
        audienceUrl: undefined,
        dataDir: undefined,
      },
      pulumi.mergeOptions(opts, { additionalSecretOutputs: ["ledgerUrl"] }),
    );
  }
}
