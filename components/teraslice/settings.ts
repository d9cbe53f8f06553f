import type * as z from "zod";
import type { guardFields } from "../namespaces/config/schema";
import type { NamespaceConfig } from "../namespaces/settings";
import type { clusterFields } from "./schema/cluster";
import type { DURATIONS } from "./schema/sections";

/** Name of the master at `teraslice` in commands. The others have their keys as names. */
export const SINGLE = "default";

type Input = z.output<z.ZodObject<typeof clusterFields, z.core.$strict>>;

/**
 * Decoded config of a Teraslice cluster, with all defaults. Used by the component, its ConfigMaps and the rendering of
 * jobs.
 */
export interface TerasliceSettings extends Omit<Input, "settings" | keyof typeof guardFields> {
  /** Config key of the cluster, for messages. */
  readonly source: string;
  readonly image: string;
  /** Policies of its namespace, as far as the config sets them. Its NetworkPolicies are in `networkPolicy`. */
  readonly protection: NamespaceConfig;
  /** Warnings for every preview, one per line with its path. */
  readonly warnings: readonly string[];
  /** Section `teraslice` of the configuration file, named as in Teraslice's documentation. */
  readonly teraslice: MasterSettings;
}

/** Settings that a master reads. Durations are in milliseconds. */
export type MasterSettings = Input["settings"] &
  Record<(typeof DURATIONS)[number], number> & {
    readonly kubernetes_config_map_name: string;
    readonly kubernetes_image: string;
    readonly kubernetes_overrides_enabled: boolean;
  };

export type Connectors = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;
export type Scraping = NonNullable<Input["serviceMonitor"]>;
export type AssetsClaim = NonNullable<Input["assetsClaim"]>;

/** A key of a Secret in the cluster's namespace. */
export interface SecretKey {
  readonly secret: string;
  readonly key: string;
}

export const isSecretKey = (value: unknown): value is SecretKey =>
  typeof value === "object" && value !== null && "secret" in value && "key" in value;
