import { compact, type Values } from "../../foundation/json/merge";
import type { NotebookSize, Profile, Toleration } from "./settings";

/** The chart's default tolerations of notebooks. A profile's own tolerations would replace them. */
export const USER_TOLERATIONS: readonly Toleration[] = ["hub.jupyter.org/dedicated", "hub.jupyter.org_dedicated"].map(
  (key) => ({ key, operator: "Equal", value: "user", effect: "NoSchedule" }),
);

/** Settings repeated in all profiles, because KubeSpawner replaces instead of merging. */
interface Common {
  readonly environment: Readonly<Record<string, string>>;
  readonly tolerations: readonly Toleration[];
}

/** Values under `singleuser` for a size. */
export function sizeOf({ cpu, cpuLimit, memoryGb, memoryLimitGb, gpus }: NotebookSize): Values {
  return compact({
    cpu: compact({ guarantee: cpu, limit: cpuLimit }),
    memory: compact({ guarantee: gigabytes(memoryGb), limit: gigabytes(memoryLimitGb) }),
    extraResource: gpus === undefined ? undefined : { limits: gpuLimits(gpus) },
  });
}

/** The options of the page that starts a notebook, in the order of the config. */
export function profileList(profiles: Readonly<Record<string, Profile>>, common: Common): Values[] {
  return Object.entries(profiles).map(([slug, profile]) =>
    compact({
      slug,
      display_name: profile.displayName,
      description: profile.description,
      default: profile.isDefault || undefined,
      kubespawner_override: override(profile, common),
    }),
  );
}

function override(profile: Profile, common: Common): Values {
  const { nodeSelector, tolerations } = profile.placement;
  const own = Object.keys(profile.environment).length > 0;
  return compact({
    image: profile.image,
    cpu_guarantee: profile.cpu,
    cpu_limit: profile.cpuLimit,
    mem_guarantee: gigabytes(profile.memoryGb),
    mem_limit: gigabytes(profile.memoryLimitGb),
    extra_resource_limits: profile.gpus === undefined ? undefined : gpuLimits(profile.gpus),
    node_selector: Object.keys(nodeSelector).length > 0 ? nodeSelector : undefined,
    tolerations: tolerations.length > 0 ? [...common.tolerations, ...tolerations] : undefined,
    environment: own ? { ...common.environment, ...profile.environment } : undefined,
  });
}

/** `G` means 2^30 bytes in KubeSpawner. */
const gigabytes = (value: number | undefined): string | undefined => (value === undefined ? undefined : `${value}G`);

const gpuLimits = (gpus: number): Values => ({ "nvidia.com/gpu": String(gpus) });
