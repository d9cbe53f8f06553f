import * as pulumi from "@pulumi/pulumi";
import type { Provider } from "@pulumi/aws/provider";
import type { StateResource } from "../../resources/ownState";
import type { EksConfig } from "../../cluster/onEks/eksConfig";
import type { KnownVersions } from "../eksCluster";
import { addonNames, addonVersions, lockFaults } from "./choose";
import { imageReleases } from "./releases";

/**
 * The versions for a stack's cluster that are known in advance. Warns of add-ons that get the current default version,
 * because a stack that is created later may get another one.
 */
export async function knownVersions(
  config: EksConfig,
  state: Readonly<Record<string, StateResource>>,
  provider: Provider,
): Promise<KnownVersions> {
  const faults = lockFaults(config, pulumi.getStack());
  if (faults.length > 0) throw new pulumi.RunError(`${faults.join("\n")}\nNothing was changed.`);
  const addons = addonVersions(config, state);
  const open = addonNames(config).filter((name) => addons[name] === undefined);
  if (open.length > 0) {
    await pulumi.log.warn(
      `No version of ${open.join(", ")} for ${config.version} is in ${config.lockFile}: they get the usual one of today. ` +
        `Record it with: stackyard eks lock --stack ${pulumi.getStack()}`,
    );
  }
  const images = await imageReleases(config, provider);
  const releases = Object.entries(images).map(([pool, release]) => `${pool} ${release}`);
  if (releases.length > 0) await pulumi.log.info(`Image releases of node pools: ${releases.join(", ")}`);
  return { addons, images };
}
