import type { Workspace } from "../../foundation/pulumi/backend";
import { sql } from "kysely";
import type { Platform } from "../../components/runtime/platform/platform";
import { readPlatform } from "../../engine/stack/platformOutputs";
import { usageOf, type ProvisionerUsage } from "../../engine/stack/usage";
import type { Database } from "../database/database";

/** A provisioner with its used and free capacity. */
export interface ProvisionerCapacity {
  /** Platform stack, as organization/project/stack. */
  readonly platform: string;
  readonly name: string;
  readonly type: string;
  readonly isDefault: boolean;
  readonly environments: readonly string[];
  /** Number of the service's deployments on it. */
  readonly runtimes: number;
  /** Undefined if the size of the cluster, not a fixed number, limits the capacity. */
  readonly slotsTotal?: number;
  readonly slotsUsed: number;
  readonly slotsFree?: number;
  readonly hosts: readonly Omit<NonNullable<ProvisionerUsage["hosts"]>[number], "deployments">[];
  readonly warnings: readonly string[];
}

export interface CapacityOptions {
  readonly database: Database;
  /** That of the platforms. */
  readonly workspace: Workspace;
  readonly defaultPlatform: string;
}

/** A platform's outputs change only when it is deployed, and reading them starts the CLI. */
const KEEP_MS = 60_000;

/** Capacity of the provisioners of all platforms in use and of the default platform. */
export class Capacity {
  private readonly platforms = new Map<string, { readonly at: number; readonly outputs: Promise<Platform> }>();

  constructor(private readonly options: CapacityOptions) {}

  /** `platform`: read only this one. Throws if a provisioner can't be read. */
  async read(platform?: string): Promise<ProvisionerCapacity[]> {
    const names = platform === undefined ? await this.platformsInUse() : [platform];
    const all = await Promise.all(names.map((name) => this.of(name)));
    return all.flat();
  }

  /** The default platform and those of deployments, as organization/project/stack. */
  async platformsInUse(): Promise<string[]> {
    const rows = await this.options.database
      .selectFrom("deployment")
      .select(sql<string>`desired_config ->> 'platform'`.as("platform"))
      .distinct()
      .where("deletedAt", "is", null)
      .execute();
    return [...new Set([this.options.defaultPlatform, ...rows.map((row) => row.platform)])].sort();
  }

  private async of(platform: string): Promise<ProvisionerCapacity[]> {
    const [usage, taken] = await Promise.all([this.platform(platform).then(usageOf), this.taken(platform)]);
    return usage.map(({ hosts, ...provisioner }) => {
      const { runtimes = 0, slots = 0 } = taken.get(provisioner.name) ?? {};
      const sum = (of: "slots" | "used" | "free") => (hosts ?? []).reduce((total, host) => total + host[of], 0);
      const known = hosts && { slotsTotal: sum("slots"), slotsFree: sum("free") };
      return {
        platform,
        ...provisioner,
        runtimes,
        ...known,
        slotsUsed: hosts ? sum("used") : slots,
        hosts: (hosts ?? []).map(({ host, slots: total, used, free, drain }) => ({
          host,
          slots: total,
          used,
          free,
          drain,
        })),
      };
    });
  }

  /** Returns the outputs of a platform, including secrets. */
  platform(platform: string, mostAgeMs = KEEP_MS): Promise<Platform> {
    const known = this.platforms.get(platform);
    if (known !== undefined && Date.now() - known.at < mostAgeMs) return known.outputs;
    const outputs = readPlatform(this.options.workspace, platform);
    this.platforms.set(platform, { at: Date.now(), outputs });
    // Failures are not cached.
    outputs.catch(() => this.platforms.get(platform)?.outputs === outputs && this.platforms.delete(platform));
    return outputs;
  }

  private async taken(platform: string): Promise<Map<string, { runtimes: number; slots: number }>> {
    const rows = await this.options.database
      .selectFrom("deployment")
      .select(({ fn }) => [
        "provisioner",
        fn.countAll<string>().as("runtimes"),
        sql<string>`coalesce(sum(coalesce((desired_config #>> '{deployment,slots}')::int, 1)), 0)`.as("slots"),
      ])
      .where("deletedAt", "is", null)
      .where("provisioner", "is not", null)
      .where(sql<boolean>`desired_config ->> 'platform' = ${platform}`)
      .groupBy("provisioner")
      .execute();
    return new Map(
      rows.map(({ provisioner, runtimes, slots }) => [
        provisioner ?? "",
        { runtimes: Number(runtimes), slots: Number(slots) },
      ]),
    );
  }
}
