import { didYouMean } from "../../../foundation/text/nearest";
import { namespaceConfig } from "../../namespaces/settings";
import { jobPodOverride } from "../podConfig/secretConfig";
import type { TerasliceSettings } from "../settings";
import { renderPath, type Path } from "../../../foundation/schema/faults";
import { CONNECTION_KEYS } from "../schema/connectors";
import type { TerasliceInput } from "./schema";
import { DURATIONS, settingsSchema, terafoundationFields } from "../schema/sections";
import { extraWarnings, warningBelow } from "./extraChecks";

/** Settings that are derived from the rest of the config and can't be set. */
const DERIVED = ["master", "master_hostname"];

/**
 * Warnings about unknown keys in the two Teraslice sections, with the nearest known key. They are passed to the master,
 * which may be newer than this schema.
 */
function unknownSettings({ settings, terafoundation }: TerasliceInput, base: Path): readonly string[] {
  const line = warningBelow(base);
  const unknown = (path: Path, section: object, known: readonly string[]): string[] =>
    Object.keys(section)
      .filter((key) => !known.includes(key))
      .map((key) => line([...path, key], UNKNOWN, "a key that Teraslice documents", didYouMean(key, known)));
  const { connectors } = terafoundation;
  const types = Object.keys(CONNECTION_KEYS);
  return [
    ...DERIVED.filter((key) => Object.hasOwn(settings, key)).map((key) =>
      line(["settings", key], "a setting that follows from the rest", "none", "omit it"),
    ),
    ...unknown(["settings"], settings, [...Object.keys(settingsSchema.shape), ...DERIVED]),
    ...unknown(["settings", "state"], settings.state, ["connection"]),
    ...unknown(["settings", "index_rollover_frequency"], settings.index_rollover_frequency, ["state", "analytics"]),
    ...unknown(["settings", "index_settings"], settings.index_settings ?? {}, INDICES),
    ...Object.entries(settings.index_settings ?? {}).flatMap(([name, each]) =>
      unknown(["settings", "index_settings", name], each ?? {}, ["number_of_shards", "number_of_replicas"]),
    ),
    ...unknown(["terafoundation"], terafoundation, [...Object.keys(terafoundationFields), "connectors"]),
    ...Object.entries(connectors as Readonly<Record<string, object>>).flatMap(([type, connections]) => {
      const at = ["terafoundation", "connectors", type];
      const known = CONNECTION_KEYS[type];
      if (known === undefined)
        return [line(at, "a type whose connections are not checked", EGRESS, didYouMean(type, types))];
      return Object.entries(connections).flatMap(([name, each]) => unknown([...at, name], each as object, known));
    }),
  ];
}

const INDICES = ["analytics", "assets", "execution", "jobs", "state"];
const EGRESS = "that networkPolicy.egress lets out to where they go";
const UNKNOWN = "an unknown key, which the master gets as it is";

/** Default image in Teraslice's documentation. Users build it themselves. */
const IMAGE = "teraslice:k8sdev";

/** Converts durations to milliseconds. Teraslice also accepts text, but other values are derived from them. */
const durations = (settings: TerasliceInput["settings"]) =>
  Object.fromEntries(DURATIONS.map((key) => [key, millisecondsOf(settings[key])])) as Record<
    (typeof DURATIONS)[number],
    number
  >;

const UNITS: Readonly<Record<string, number>> = {
  millisecond: 1,
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
};

function millisecondsOf(value: number | string): number {
  if (typeof value === "number") return value;
  const [number = "", unit = "millisecond"] = value.split(" ");
  return Number(number) * (UNITS[unit.replace(/s$/, "")] ?? 1);
}

/** Converts checked input at `base` to complete settings. */
export function resolveTeraslice(input: TerasliceInput, base: Path): TerasliceSettings {
  const { settings, podSecurity, quota, limits, ...rest } = input;
  const image = input.image ?? settings.kubernetes_image ?? IMAGE;
  const pullSecret = settings.kubernetes_image_pull_secret;
  // A pull secret for jobs also applies to the master, since both usually have the same image.
  const imagePullSecrets =
    input.imagePullSecrets.length > 0 || pullSecret === undefined ? input.imagePullSecrets : [pullSecret];
  const assetsVolume = settings.assets_volume ?? (input.assetsClaim && `${settings.name}-assets`);
  const handedOn = pullSecret ?? imagePullSecrets[0];
  const complete: TerasliceSettings = {
    ...rest,
    source: `stackyard:${renderPath(base)}`,
    image,
    protection: namespaceConfig({ podSecurity, quota, limits }),
    imagePullSecrets,
    warnings: [...unknownSettings(input, base), ...extraWarnings(input, base)],
    teraslice: {
      ...settings,
      ...durations(settings),
      kubernetes_image: settings.kubernetes_image ?? image,
      kubernetes_config_map_name: settings.kubernetes_config_map_name ?? `${settings.name}-worker`,
      kubernetes_overrides_enabled: settings.kubernetes_overrides_enabled ?? false,
      ...(handedOn !== undefined && { kubernetes_image_pull_secret: handedOn }),
      ...(assetsVolume !== undefined && { assets_volume: assetsVolume }),
      ...(input.priorityClass && { kubernetes_priority_class_name: `teraslice-${settings.name}` }),
    },
  };
  if (settings.kubernetes_overrides_enabled !== undefined) return complete;
  const needed = jobPodOverride(complete) !== undefined;
  return { ...complete, teraslice: { ...complete.teraslice, kubernetes_overrides_enabled: needed } };
}
