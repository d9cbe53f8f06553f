import * as z from "zod";
import { isObject } from "../../../foundation/json/isObject";
import { valueAt } from "../../../foundation/schema/describe";
import {
  ConfigError,
  mismatch,
  renderPath,
  sortFaults,
  type Fault,
  type Path,
} from "../../../foundation/schema/faults";
import type { Files } from "../../../foundation/schema/files";
import { faultsOf, reservedKeys, unknownKey, type FaultContext } from "../../../foundation/schema/issues";
import { plainSecrets } from "../../../foundation/schema/secretValues";
import type { WantedChart } from "../../charts/charts";
import { readLock, resolveCharts } from "../../charts/config/charts";
import type { DecodeContext, DisabledComponent, Offers, Parse } from "../../contract/decoding";
import type { Feature, Keys, Read } from "../../feature";
import { FEATURES } from "../../features";
import { namespaceFaults } from "../../namespaces/config/faults";
import { misspelt } from "../../namespaces/config/namespaces";
import type { PlatformConfig } from "./platformConfig";
import { baseKeys, platformSchema, shapeOf } from "./schema";

/**
 * Node pools in which components of the config run pods: all values of keys `nodePool`, and what features know.
 * Components tolerate the taints of the pools that they name.
 */
export function usedPools(values: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const features: readonly Feature[] = FEATURES;
  const found = new Set(features.flatMap((one) => one.usedPools?.(values) ?? []));
  const look = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(look);
    if (!isObject(value)) return;
    if (typeof value["nodePool"] === "string") found.add(value["nodePool"]);
    Object.values(value).forEach(look);
  };
  look(values);
  return found;
}

/** Config before decoding. */
export interface RawConfig {
  /** Values of the `stackyard:` namespace by key, as parsed JSON. An empty string or object counts as not set. */
  readonly values: Readonly<Record<string, unknown>>;
  /** All keys of the stack with their namespaces, to find misspelled ones. Default: none. */
  readonly allKeys?: readonly string[];
  /** Keys whose value is, or contains, a secret. Default: none. */
  readonly secretKeys?: ReadonlySet<string>;
  /** Name of the stack. Development-only settings are faults in other stacks. Default: not development. */
  readonly stack?: string;
  /** Whether a config with only some components, and no provisioner, is valid. Default: false. */
  readonly isPartial?: boolean;
  /** Whether the values are a program's: no file has its secrets, and an empty object is set. Default: false. */
  readonly isInMemory?: boolean;
}

/**
 * Checks and completes a config. Pure except for `files`, which reads the files that the config references. Throws one
 * {@link ConfigError} with every fault. `features`: those that the config may have, in the order of the list.
 */
export function decodeConfig(raw: RawConfig, files: Files, features: readonly Feature[] = FEATURES): PlatformConfig {
  const values = Object.fromEntries(
    Object.entries(raw.values).filter(([, value]) => raw.isInMemory || !isEmpty(value)),
  );
  const schema = features === FEATURES ? platformSchema : z.strictObject(shapeOf(features));
  const place: FaultContext = { root: values, schema, secretKeys: raw.secretKeys ?? new Set() };
  const secrets = plainSecrets(schema, values);
  const faults = [
    ...unknownKeys(raw, Object.keys(schema.shape)),
    ...reservedKeys(values),
    ...(raw.isInMemory ? [] : unencrypted(secrets, place)),
  ];
  const warnings: string[] = [];
  // Parses each part separately, so that a fault in one does not hide faults in others.
  const parse: Parse = (schema, path, value) => {
    const result = schema.safeParse(value);
    if (!result.success) faults.push(...faultsOf(result.error.issues, path, place));
    return result.data;
  };
  // A key is parsed once, so that its faults are reported once.
  const parsed = new Map<PropertyKey, unknown>();
  const reading =
    <K extends Keys>(keys: K): Read<K> =>
    (name) => {
      if (!parsed.has(name)) parsed.set(name, parse(keys[name]!, [String(name)], values[String(name)]));
      return parsed.get(name) as z.output<K[typeof name]> | undefined;
    };

  const read = reading(baseKeys);
  // Checked only. The provider reads these itself, because a destroy runs no program.
  read("allowDataLoss");
  read("allowLeftovers");
  const [mirror, ownCharts, ownImages] = [read("mirror"), read("charts"), read("images")];
  const resolver = { files, place, faults, warnings };
  const locked = ownCharts && readLock(resolver, ownCharts.lockFile);
  const lock = ownImages?.lock ?? "off";
  const images = {
    ...(mirror !== undefined && { mirror }),
    ...ownImages,
    lock,
    digests: lock === "off" ? {} : (locked?.images ?? {}),
  };
  const charts = ownCharts && { ...(mirror !== undefined && { mirror: `oci://${mirror}/charts` }), ...ownCharts };
  const wanted: WantedChart[] = [];
  const disabled: DisabledComponent[] = [];
  let offers: Offers = { cluster: { isGiven: false, isEks: false }, roles: {}, rayClusters: {} };
  const parts: object[] = [];
  const used = usedPools(values);
  for (const feature of features) {
    const context: DecodeContext = {
      ...{ files, place, faults, warnings, parse, offers, wanted, disabled },
      stack: raw.stack ?? "",
      isPartial: raw.isPartial === true,
      usedPools: used,
      images,
      versions: charts?.versions ?? {},
    };
    const readKey = reading(feature.keys);
    const part = feature.decode(readKey, context);
    offers = { ...offers, ...feature.offers?.(part, context, readKey) };
    parts.push(part);
  }
  const claims = features.flatMap((feature, index) => feature.namespaces?.(parts[index]!) ?? []);
  faults.push(...namespaceFaults(claims, place));
  const chartsConfig = charts && resolveCharts(resolver, charts, wanted, locked);
  if (faults.length > 0 || chartsConfig === undefined) throw new ConfigError(sortFaults(faults, raw.values));
  const texts = secrets.map((path) => valueAt(values, path) as string);
  const base = { charts: chartsConfig, images, disabled, warnings, secrets: texts };
  return withMirror(Object.assign({}, ...parts, base) as PlatformConfig, features);
}

const unknownKeys = ({ values, allKeys = [] }: RawConfig, known: readonly string[]): Fault[] => [
  ...Object.keys(values)
    .filter((key) => !known.includes(key))
    .map((key) => unknownKey([key], known)),
  ...misspelt(allKeys, "stackyard"),
];

/** Faults for secrets that anybody who reads the stack file can read. */
const unencrypted = (secrets: readonly Path[], { secretKeys }: FaultContext): Fault[] =>
  secrets
    .filter(([key]) => !secretKeys.has(String(key)))
    .map((path) => {
      const how = path.length === 1 ? renderPath(path) : `--path '${renderPath(path)}'`;
      return mismatch(path, "a plain text", "a secret", `set it with: pulumi config set --secret ${how}`);
    });

/** Returns the config with every image in its place, both configured and default ones. */
const withMirror = (config: PlatformConfig, features: readonly Feature[]): PlatformConfig =>
  config.images.mirror === undefined && config.images.lock === "off"
    ? config
    : (Object.assign({}, config, ...features.map((one) => one.mirrored?.(config) ?? {})) as PlatformConfig);

/** `Pulumi.yaml` needs a default for an optional key, so an empty value counts as not set. */
const isEmpty = (value: unknown): boolean =>
  value === undefined || value === "" || (isObject(value) && Object.keys(value).length === 0);
