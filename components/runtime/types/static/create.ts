import * as pulumi from "@pulumi/pulumi";
import { prepareDatabase } from "../../clickhouse/prepare";
import { dataOptions } from "../../protection";
import { clickhouseOutput, recordOf } from "../stateRecord";
import { templateEngine } from "../../templates/templateEngine";
import type { OwnOutputs, RuntimeOptions } from "../runtimeType";
import type { StaticPlan } from "./place";
import { StaticRuntime } from "./staticRuntime";

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
  const runtime = new StaticRuntime(
    name,
    { ledgerUrl, pool, deployment: id, slots, allowMove, record },
    dataOptions(deployment),
  );
  return {
    host: runtime.host,
    audienceUrl: runtime.audienceUrl,
    dataDir: runtime.dataDir,
    ...clickhouseOutput(database),
  };
}
