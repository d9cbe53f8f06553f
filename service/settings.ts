/** The settings of the service's parts, from its environment. Pure. */

import type { Workspaces } from "../foundation/pulumi/backend";
import type { Values } from "./environment";
import type { ExtraSettings } from "./extras";
import type { ClusterWork } from "./gardener/clusterStages";
import { kymaLimits } from "./gardener/settings";
import type { LifetimeSettings } from "./lifetimes/rules";
import type { WorkerSettings } from "./workers/settings";

export const workerSettings = (
  { platforms: { folder: root, backend } }: Workspaces,
  defaultPlatform: string,
  values: Values,
  clusters: Omit<ClusterWork, "limits">,
): WorkerSettings => ({
  clusters: { ...clusters, limits: kymaLimits(values) },
  root,
  backend,
  defaultPlatform,
  count: values.APP_WORKERS,
  memoryMb: values.APP_WORKER_MEMORY_MB,
  maxAgeMs: values.APP_WORKER_MAX_AGE,
  operationMs: values.APP_OPERATION_TIMEOUT,
  stageMs: values.APP_STAGE_TIMEOUT,
  drainMs: values.APP_DRAIN_TIMEOUT,
  takesUp: values.APP_ENQUEUE_IN_PROGRESS_OPERATIONS,
});

export const lifetimeSettings = (values: Values): LifetimeSettings => ({
  defaults: {
    timeToLive: values.APP_LIFETIME_TIME_TO_LIVE ?? null,
    idleLimit: values.APP_LIFETIME_IDLE_LIMIT ?? null,
    stoppedRetention: values.APP_LIFETIME_STOPPED_RETENTION ?? null,
  },
  warningMs: values.APP_LIFETIME_WARNING * 1000,
});

export function extraSettings(values: Values): ExtraSettings {
  const { APP_WEBHOOK_URL: url, APP_WEBHOOK_SECRET: secret, APP_DRIFT_INTERVAL: everyMs } = values;
  return {
    ...(url !== undefined && secret !== undefined && { webhook: { url, secret } }),
    retention: {
      operations: values.APP_KEEP_OPERATIONS_DAYS,
      audit: values.APP_KEEP_AUDIT_DAYS,
      keys: values.APP_KEEP_KEYS_DAYS,
      notices: values.APP_KEEP_NOTICES_DAYS,
    },
    ...(everyMs !== undefined && { drift: { everyMs, repairs: values.APP_DRIFT_REPAIR } }),
  };
}
