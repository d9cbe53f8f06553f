/** Selects the versions of add-ons and node images that are known without asking AWS. Pure. */

import type { StateResource } from "../../resources/ownState";
import { amiType, type NodePoolConfig } from "../../cluster/nodePool/plan";
import { runningCluster } from "../changes";
import { plannedAddons } from "../addons";
import type { EksConfig } from "../../cluster/onEks/eksConfig";

const WAY = "record it with: stackyard eks lock --stack";

type State = Readonly<Record<string, StateResource>>;

/**
 * Versions by add-on: from the config, or else from the lock file for the cluster's minor version, or else the stack's
 * current one, if it was installed for this minor version. Other add-ons get the current default version once.
 */
export function addonVersions(
  { version, addonVersions: own, lock }: Pick<EksConfig, "version" | "addonVersions" | "lock">,
  state: State,
): Readonly<Record<string, string>> {
  return { ...runningAddons(version, state), ...lock.addons[version], ...own };
}

function runningAddons(minor: string, state: State): Record<string, string> {
  const resources = Object.values(state);
  if (runningCluster(resources)?.version !== minor) return {};
  return Object.fromEntries(
    resources.flatMap(({ type, outputs }) => {
      const { addonName, addonVersion } = outputs as { addonName?: string; addonVersion?: string };
      const isAddon = type === "aws:eks/addon:Addon" && addonName !== undefined && addonVersion !== undefined;
      return isAddon ? [[addonName, addonVersion]] : [];
    }),
  );
}

/** A node image whose release a pool follows. */
interface FollowedImage {
  readonly pool: string;
  readonly amiType: string;
  readonly minor: string;
  readonly ami: NonNullable<NodePoolConfig["ami"]>;
}

/** The images of pools that set `ami`. */
export const followedImages = ({
  version,
  nodes,
  nodePools,
}: Pick<EksConfig, "version" | "nodes" | "nodePools">): FollowedImage[] =>
  // EKS Auto Mode chooses its images itself.
  Object.entries(nodes === "auto" ? {} : nodePools).flatMap(([pool, config]) =>
    config.ami === undefined || config.amiId !== undefined
      ? []
      : [{ pool, amiType: amiType(config), minor: config.version ?? version, ami: config.ami }],
  );

/** The release that the lock file has for an image. */
export const lockedRelease = (
  { lock }: Pick<EksConfig, "lock">,
  { minor, amiType }: FollowedImage,
): string | undefined => lock.images[minor]?.[amiType];

/** Names of the add-ons of a cluster. */
export const addonNames = (config: Pick<EksConfig, "moreAddons" | "nodes" | "region">): string[] =>
  plannedAddons(config).map(({ name }) => name);

/** Faults for versions that must be recorded but are not. `stack`: name for the suggested command. */
export function lockFaults(config: EksConfig, stack: string): string[] {
  const { version, lock, lockFile, lockRequired, addonVersions: own } = config;
  const addons = addonNames(config).filter(
    (name) => own[name] === undefined && lock.addons[version]?.[name] === undefined,
  );
  const images = followedImages(config).filter(
    (image) => image.ami === "pinned" && lockedRelease(config, image) === undefined,
  );
  return [
    ...(lockRequired && addons.length > 0
      ? [
          `stackyard:cluster.lock: found no versions of ${addons.join(", ")} for ${version} in ${lockFile}; ` +
            `expected a version of each add-on; ${WAY} ${stack}`,
        ]
      : []),
    ...images.map(
      ({ pool, amiType: type, minor }) =>
        `stackyard:cluster.nodePools.${pool}.ami: found "pinned", and no release of ${type} for ${minor} in ${lockFile}; ` +
        `expected a recorded release; ${WAY} ${stack}`,
    ),
  ];
}
