import type { Database } from "./database/database";
import { BundleReconciler, type BundlesOptions } from "./drift/bundles";
import { Drift, type DriftSettings } from "./drift/drift";
import type { Operations } from "./operations";
import { Retention, type RetentionSettings } from "./retention/retention";
import type { Rollouts } from "./rollouts/rollouts";
import { Webhooks, type WebhookSettings } from "./webhooks/webhooks";
import type { LifetimeSettings } from "./lifetimes/rules";
import { Lifetimes } from "./watch/lifetimes";
import { Watch, type WatchOptions } from "./watch/watch";
import type { Hear } from "./watch/notices";
import type { Planner } from "./operations/planner";
import type { Log } from "./log";
import type { WorkerExtras } from "./workers/workers";

export interface ExtraSettings {
  readonly webhook?: WebhookSettings;
  readonly drift?: DriftSettings;
  /** How long records are kept. Default: forever. */
  readonly retention?: RetentionSettings;
  /** Default: no lifetime ends. */
  readonly lifetimes?: Pick<LifetimeSettings, "warningMs" | "diskOf" | "isGone">;
}

export interface ExtraOptions {
  readonly database: Database;
  readonly operations: Pick<Operations, "request" | "requestIn">;
  /** The workers' planner. A function, because the workers start after this is built. */
  readonly planner: () => Pick<Planner, "plan">;
  readonly rollouts?: Rollouts;
  /** Settings of the periodic checks. Default: no checks. */
  readonly watch?: Pick<WatchOptions, "workspace" | "capacity">;
  /** Default: bundles of platforms are not reconciled. */
  readonly bundles?: Pick<BundlesOptions, "workspace" | "capacity">;
  readonly log: Log;
}

/** Builds the workers' tasks besides operations: webhooks, drift detection, periodic checks, lifetimes, retention, bundles. */
export function extrasOf({ webhook, drift, retention, lifetimes }: ExtraSettings, options: ExtraOptions): WorkerExtras {
  const webhooks = webhook && new Webhooks(webhook, options.database, options.log);
  const hear: Hear | undefined = webhooks && ((transaction, row) => webhooks.onNotice(transaction, row));
  const { database, log } = options;
  const compare = drift && new Drift({ ...options, settings: drift, hear });
  const watch = options.watch && new Watch({ database, log, hear, ...options.watch });
  const bundles = options.bundles && new BundleReconciler({ database, log, hear, ...options.bundles });
  const ends = lifetimes && new Lifetimes({ ...options, settings: lifetimes, hear });
  const keeper = retention && new Retention(retention, database, log);
  return {
    tasks: {
      ...{ ...options.rollouts?.tasks, ...compare?.tasks, ...watch?.tasks, ...webhooks?.tasks },
      ...{ ...ends?.tasks, ...keeper?.tasks, ...bundles?.tasks },
    },
    crontab: [compare, watch, webhooks, ends, keeper, bundles].flatMap((one) => one?.crontab ?? []).join("\n"),
    ...(webhooks && {
      deliveries: webhooks.deliveries,
      onEnd: (transaction, operation) => webhooks.onEnd(transaction, operation),
    }),
  };
}
