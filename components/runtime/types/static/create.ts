import * as pulumi from "@pulumi/pulumi";
import { component } from "../../../resources/package";
import { SlotAllocation, type SlotAllocationArgs } from "../../../resources/slotAllocation";
import { prepareDatabase } from "../../clickhouse/prepare";
import { dataOptions } from "../../protection";
import { clickhouseOutput, recordOf } from "../stateRecord";
import { templateEngine } from "../../templates/templateEngine";
import type { OwnOutputs, RuntimeOptions } from "../runtimeType";
import type { StaticPlan } from "./place";

/**
 * A runtime that consists of slots on a host of a static pool. The host already runs and serves several deployments.
 */
class StaticRuntime extends pulumi.ComponentResource {
  /** URL of the runtime. */
  readonly host: pulumi.Output<string>;
  /** Audience (JWT) of the runtime. */
  readonly audienceUrl: pulumi.Output<string>;
  /** Directory for data on the host. */
  readonly dataDir: pulumi.Output<string>;

  constructor(name: string, args: SlotAllocationArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("StaticRuntime"), name, {}, opts);
    // A manually imported allocation has the deployment's name and no parent. Without the alias, it would be deleted
    // and release its slots.
    const imported = { name: args.deployment, parent: pulumi.rootStackResource };
    const slots = new SlotAllocation(`${name}-slots`, args, { parent: this, aliases: [imported] });
    this.host = slots.host;
    this.audienceUrl = slots.audienceUrl;
    this.dataDir = slots.dataDir;
    this.registerOutputs({ host: this.host, audienceUrl: this.audienceUrl, dataDir: this.dataDir });
  }
}

/** A hibernated deployment keeps its slots and its data, because its host serves other deployments too. */
export async function createStatic(plan: StaticPlan, options: RuntimeOptions): Promise<OwnOutputs> {
  const { name, pool, deployment } = plan;
  const { ledgerUrl, allowMove } = options;
  if (ledgerUrl === undefined) {
    throw new pulumi.RunError(
      `the platform stack has no ledgerUrl, though provisioner pool "${pool}" is static; update the platform stack again`,
    );
  }
  const { id, slots } = deployment;
  const record = recordOf(plan, options, plan.revision);
  const { clickhouse } = options;
  const engine = clickhouse?.type === "kubernetes" ? templateEngine() : undefined;
  const whose = { deployment: id, platform: options.platform };
  const database = (clickhouse && (await prepareDatabase(clickhouse, engine, whose, options.adoptedDatabase)))?.create(
    undefined,
    dataOptions(deployment),
  );
  // Slots are deleted first, because they change more often: an older state, or a copy, shows at them.
  const dependsOn = database ? [database.component] : [];
  const runtime = new StaticRuntime(
    name,
    { ledgerUrl, pool, deployment: id, slots, allowMove, record },
    { parent: options.parent, dependsOn, ...dataOptions(deployment) },
  );
  return {
    host: runtime.host,
    audienceUrl: runtime.audienceUrl,
    dataDir: runtime.dataDir,
    ...clickhouseOutput(database),
  };
}
