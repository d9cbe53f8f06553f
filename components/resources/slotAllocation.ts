// Generated from provider/resources/*/schema.ts by `npm run generate`; a test keeps it true.

import * as pulumi from "@pulumi/pulumi";

export interface SlotAllocationArgs {
  /** PostgreSQL URL of the ledger; a secret. */
  readonly ledgerUrl: pulumi.Input<string>;
  /** Pool to take from: `<platform stack>/<provisioner>`. Changing it replaces the allocation, new one first. */
  readonly pool: pulumi.Input<string>;
  /** Deployment that the slots are for. Changing it replaces the allocation. */
  readonly deployment: pulumi.Input<string>;
  /** Number of slots, 1 or more. A change is made in place where the host has room. */
  readonly slots: pulumi.Input<number>;
  /** Whether it may move to another host, where its own has no room for a change or is drained. Default: false. */
  readonly allowMove?: pulumi.Input<boolean>;
  /** Kept in the state with the resource; applied nowhere. Its member `change` never causes an update by itself. */
  readonly record?: pulumi.Input<Record<string, unknown>>;
}

/** Slots of one pool taken for one deployment. The host is sticky. */
export class SlotAllocation extends pulumi.CustomResource {
  /** URL of the runtime that was chosen. */
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
