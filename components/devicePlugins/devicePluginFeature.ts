import type * as z from "zod";
import { mismatch } from "../../foundation/schema/faults";
import { flag, strict } from "../../foundation/schema/fields";
import { helmValues, readySeconds } from "../charts/config/helm";
import { chartImages, imageValues, placedValues } from "../charts/images";
import { oneRelease } from "../charts/plannedRelease";
import type { ChartName } from "../charts/table";
import type { EksConfig } from "../cluster/onEks/eksConfig";
import type { DecodeContext } from "../contract/decoding";
import type { ComponentDoc } from "../contract/facts";
import { feature, type Feature } from "../feature";
import type { DevicePluginSettings } from "./settings";

/** What one device plugin has of its own. */
export interface DevicePluginKind<Key extends string> {
  /** Config key, and name of the feature. */
  readonly key: Key;
  readonly chart: ChartName;
  readonly account: { readonly release: string; readonly namespace: string };
  /** Type of its component, and its name in the state. */
  readonly token: string;
  readonly name: string;
  /** Its component of the package, if it has one. */
  readonly component?: ComponentDoc;
  /** For the reference. */
  readonly title: string;
  readonly intro: string;
  readonly description: string;
  /** What it offers to pods, and where a pool has it: "no node pool has …". */
  readonly devices: string;
  readonly where: string;
  /** Pools that need it. Undefined: any nodes may, which its chart then chooses. */
  pools(cluster: Pick<EksConfig, "nodes" | "nodePools">): string[] | undefined;
  values(settings: DevicePluginSettings): Record<string, unknown>;
}

const schemaOf = (description: string) =>
  strict("an object", {
    enabled: flag().default(true).describe("`false` removes it. Set it also if the cluster already has one."),
    optional: flag().default(false).describe("`true`: skip it if its chart can't be fetched."),
    timeoutSeconds: readySeconds("it", 300),
    values: helmValues(),
  }).describe(description);

type Input = z.output<ReturnType<typeof schemaOf>>;
type PluginKeys<Key extends string> = Readonly<Record<Key, z.ZodOptional<ReturnType<typeof schemaOf>>>>;
/** Not set if not configured or disabled. */
type PluginPart<Key extends string> = { readonly [K in Key]?: DevicePluginSettings };

/** The feature that installs a device plugin. */
export function devicePlugin<Key extends string>(
  kind: DevicePluginKind<Key>,
): Feature<PluginKeys<Key>, PluginPart<Key>> {
  const { key, chart, account, token } = kind;
  const part = (settings: DevicePluginSettings | undefined) => (settings ? { [key]: settings } : {}) as PluginPart<Key>;
  const of = (config: PluginPart<Key>): DevicePluginSettings | undefined => config[key];
  return feature<PluginKeys<Key>, PluginPart<Key>>({
    name: key,
    keys: { [key]: schemaOf(kind.description).optional() } as PluginKeys<Key>,
    ...(kind.component && { component: kind.component }),
    reference: [{ title: kind.title, intro: kind.intro, at: [key] }],
    decode: (read, context) => part(decode(kind, read(key) as Input | undefined, context)),
    images: (config) => {
      const { images, charts } = config;
      const settings = of(config);
      return settings ? chartImages(key, chart, { images, charts }, settings.values) : [];
    },
    releases: (config) => oneRelease(of(config), { path: key, account, role: (name) => `${name}-role` }),

    async create(config, { charts, provided: { cluster }, named, parent }) {
      const settings = of(config);
      if (!cluster || !settings) return undefined;
      const { DevicePlugin } = await import("./devicePlugin.js");
      const { timeoutSeconds } = settings;
      const args = { token, chart, account, cluster, charts, values: kind.values(settings), timeoutSeconds };
      return { stateful: [new DevicePlugin(named(kind.name), args, { parent })] };
    },
  });
}

/** Returns undefined if it is not configured, is disabled or has faults. */
function decode<Key extends string>(
  kind: DevicePluginKind<Key>,
  input: Input | undefined,
  { offers, faults, warnings, wanted, disabled, images, versions }: DecodeContext,
): DevicePluginSettings | undefined {
  const { key, chart, token, devices, where } = kind;
  const { config } = offers.cluster;
  const eks = config?.type === "eks" ? config.eks : undefined;
  const pools = eks && (eks.nodes === "auto" ? [] : kind.pools(eks));
  if (input === undefined) {
    if (pools && pools.length > 0) {
      warnings.push(
        `stackyard:${key}: found nothing, and the nodes of ${pools.join(", ")} offer no ${devices} without it; set enabled: true, or ` +
          `enabled: false where it is installed in another way`,
      );
    }
    return undefined;
  }
  const { enabled, optional, ...rest } = input;
  const component = { component: key, token } as const;
  if (!enabled) {
    disabled.push({ ...component, consequences: `pods that request ${devices} stay pending; running pods continue` });
    return undefined;
  }
  if (eks?.nodes === "auto") {
    faults.push(mismatch([key], "settings", "nothing, because EKS Auto Mode has the plugin in its image"));
    return undefined;
  }
  if (!offers.cluster.isGiven) {
    faults.push(mismatch(["cluster"], "nothing", `a cluster, because ${key} runs on its nodes`));
  }
  if (pools?.length === 0) {
    faults.push(mismatch([key], "settings", `nothing, because no node pool has ${where}`));
    return undefined;
  }
  wanted.push({ ...component, chart, optional });
  const values = placedValues(rest.values, images);
  return { ...rest, values, ...(pools && { pools }), imageValues: imageValues(chart, images, versions) };
}
