import type { ChartValues, ClickHouseValues } from "../../templates/render";
import type { KubernetesPlan } from "./plan";

/** The chart's values for a plan. */
export function chartValues(plan: KubernetesPlan, clickhouse?: ClickHouseValues): ChartValues {
  const { spec, deployment } = plan;
  return {
    provisionId: plan.provisionId,
    image: spec.image,
    imageTag: deployment.version,
    host: plan.host,
    audienceUrl: plan.audienceUrl,
    slots: deployment.slots,
    cpu: plan.cpu,
    memoryGb: plan.memoryGb,
    storageBytes: plan.storageBytes,
    dataDir: spec.dataDir,
    environment: deployment.environment,
    annotations: deployment.annotations,
    ping: spec.ping === "off" ? "" : spec.ping,
    hibernated: deployment.state === "hibernated",
    ...(clickhouse && { clickhouse }),
  };
}
