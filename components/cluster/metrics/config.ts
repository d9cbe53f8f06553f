import type * as z from "zod";
import { mismatch } from "../../../foundation/schema/faults";
import { count, flag, strict } from "../../../foundation/schema/fields";
import type { Resolver } from "../../../foundation/schema/resolver";
import type { WantedChart } from "../../charts/charts";
import { helmValues, readySeconds } from "../../charts/config/helm";
import { mirrorValues } from "../../charts/images";
import type { ChartVersions } from "../../charts/table";
import type { DisabledComponent } from "../../platform/config/platformConfig";
import type { MetricsSettings } from "./settings";

const COMPONENT = { component: "metricsServer", token: "MetricsServer" } as const;

export const metricsSchema = strict("an object", {
  enabled: flag().default(true).describe("`false` removes it."),
  optional: flag().default(false).describe("`true`: skip it if its chart can't be fetched."),
  replicas: count("a whole number from 1 to 5", 5).default(2).describe("Number of pods."),
  timeoutSeconds: readySeconds("it", 300),
  values: helmValues(),
}).describe(
  "metrics-server on a cluster of type `existing`: CPU and memory of pods and nodes, for autoscaling and `kubectl top`.",
);

export interface DecodeContext {
  /** Whether the platform creates the cluster, which then has the add-on. */
  readonly isCreated: boolean;
  /** Whether `cluster` is set at all. */
  readonly isGiven: boolean;
  readonly wanted: WantedChart[];
  readonly disabled: DisabledComponent[];
  readonly mirror?: string | undefined;
  readonly versions: ChartVersions;
}

/** Decodes the settings of metrics-server. Undefined if it is not configured, is disabled or has faults. */
export function decodeMetrics(
  input: z.output<typeof metricsSchema> | undefined,
  { faults }: Resolver,
  { isCreated, isGiven, wanted, disabled, mirror, versions }: DecodeContext,
): MetricsSettings | undefined {
  if (input === undefined) return undefined;
  const { enabled, optional, ...rest } = input;
  if (!enabled) {
    const consequences = "HorizontalPodAutoscalers keep their number of pods, and kubectl top fails";
    disabled.push({ ...COMPONENT, consequences });
    return undefined;
  }
  if (isCreated) {
    const expected = "nothing, because a cluster of type eks has it as an add-on; its values are in cluster.addons";
    faults.push(mismatch([COMPONENT.component], "settings", expected));
    return undefined;
  }
  if (!isGiven) faults.push(mismatch(["cluster"], "nothing", "a cluster, because metricsServer runs on its nodes"));
  wanted.push({ ...COMPONENT, chart: "metrics-server", optional });
  return { ...rest, imageValues: mirrorValues("metrics-server", mirror, versions) };
}
