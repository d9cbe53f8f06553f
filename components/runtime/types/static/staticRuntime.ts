import * as pulumi from "@pulumi/pulumi";
import { component } from "../../../resources/package";
import { SlotAllocation } from "../../../resources/slotAllocation";

export interface StaticRuntimeArgs {
  /** PostgreSQL URL of the ledger; a secret. */
  readonly ledgerUrl: pulumi.Input<string>;
  /** Pool to take slots from: `<platform stack>/<provisioner>`. */
  readonly pool: pulumi.Input<string>;
  /** Id of the deployment that the slots are for. */
  readonly deployment: pulumi.Input<string>;
  /** Number of slots, 1 or more. */
  readonly slots: pulumi.Input<number>;
  /** Whether it may move to another host, where its own has no room for a change or is drained. Default: false. */
  readonly allowMove?: pulumi.Input<boolean>;
  /** What was asked for; kept in the state with the slots. */
  readonly record?: pulumi.Input<Record<string, unknown>>;
}

/** A runtime that is slots on a host of a static pool. The host is running already and belongs to several deployments. */
export class StaticRuntime extends pulumi.ComponentResource {
  /** URL of the runtime. */
  readonly host: pulumi.Output<string>;
  /** Audience (JWT) of the runtime. */
  readonly audienceUrl: pulumi.Output<string>;
  /** Directory for data on the host. */
  readonly dataDir: pulumi.Output<string>;

  constructor(name: string, args: StaticRuntimeArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("StaticRuntime"), name, {}, opts);
    // Imported manually it has the deployment's name and no parent; recreated beside that, it would give the slots back.
    const imported = { name: args.deployment, parent: pulumi.rootStackResource };
    const slots = new SlotAllocation(`${name}-slots`, args, { parent: this, aliases: [imported] });
    this.host = slots.host;
    this.audienceUrl = slots.audienceUrl;
    this.dataDir = slots.dataDir;
    this.registerOutputs({ host: this.host, audienceUrl: this.audienceUrl, dataDir: this.dataDir });
  }
}
