import type * as z from "zod";
import { mismatch } from "../../foundation/schema/faults";
import { count, flag, strict } from "../../foundation/schema/fields";
import { helmValues, readySeconds } from "../charts/config/helm";
import { chartImages, imageValues, placedValues } from "../charts/images";
import { oneRelease } from "../charts/plannedRelease";
import type { DecodeContext } from "../contract/decoding";
import { feature } from "../feature";
import { METRICS, METRICS_API, type MetricsSettings } from "./plan";

const KEY = "metricsServer";
const CHART = "metrics-server";

const schema = strict("an object", {
  enabled: flag().default(true).describe("`false` removes it."),
  optional: flag().default(false).describe("`true`: skip it if its chart can't be fetched."),
  replicas: count("a whole number from 1 to 5", 5).default(2).describe("Number of pods."),
  timeoutSeconds: readySeconds("it", 300),
  values: helmValues(),
}).describe(
  "metrics-server on a cluster of type `existing`: CPU and memory of pods and nodes, for autoscaling and `kubectl top`.",
);

export interface MetricsPart {
  /** Not set if not configured, disabled or skipped. */
  readonly metricsServer?: MetricsSettings;
}

/** metrics-server on a cluster that the platform does not create. */
export const metricsServer = feature({
  name: KEY,
  keys: { metricsServer: schema.optional() },
  component: {
    name: "MetricsServer",
    description: "metrics-server: CPU and memory of pods and nodes, for autoscaling and `kubectl top`.",
    places: [{ at: [KEY], omit: ["enabled", "optional"] }],
    outputs: {},
  },

  reference: [{ title: "Metrics server", intro: "[More about metrics](ingress.md#metrics).", at: [KEY] }],
  decode(read, context): MetricsPart {
    const settings = decode(read(KEY), context);
    return settings ? { metricsServer: settings } : {};
  },
  images: ({ metricsServer: settings, images, charts }) =>
    settings ? chartImages(KEY, CHART, { images, charts }, settings.values) : [],
  releases: ({ metricsServer: settings }) =>
    oneRelease(settings, { path: KEY, account: METRICS, role: (name) => `system:${name}` }).map((one) => ({
      ...one,
      apiService: METRICS_API,
    })),

  async create({ metricsServer: settings }, { charts, provided: { cluster }, named, parent }) {
    if (!cluster || !settings) return undefined;
    const { MetricsServer } = await import("./metricsServer.js");
    return { stateful: [new MetricsServer(named("metrics-server"), { cluster, charts, settings }, { parent })] };
  },
});

/** Returns undefined if it is not configured, is disabled or has faults. */
function decode(input: z.output<typeof schema> | undefined, context: DecodeContext): MetricsSettings | undefined {
  if (input === undefined) return undefined;
  const { offers, faults, wanted, disabled, images, versions } = context;
  const { enabled, optional, ...rest } = input;
  const component = { component: KEY, token: "MetricsServer" } as const;
  if (!enabled) {
    const consequences = "HorizontalPodAutoscalers keep their number of pods, and kubectl top fails";
    disabled.push({ ...component, consequences });
    return undefined;
  }
  if (offers.cluster.input?.type === "eks") {
    const expected = "nothing, because a cluster of type eks has it as an add-on; its values are in cluster.addons";
    faults.push(mismatch([KEY], "settings", expected));
    return undefined;
  }
  if (!offers.cluster.isGiven) {
    faults.push(mismatch(["cluster"], "nothing", `a cluster, because ${KEY} runs on its nodes`));
  }
  wanted.push({ ...component, chart: CHART, optional });
  const values = placedValues(rest.values, images);
  return { ...rest, values, imageValues: imageValues(CHART, images, versions) };
}
