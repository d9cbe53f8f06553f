import * as pulumi from "@pulumi/pulumi";
import type { Provider } from "@pulumi/aws/provider";
import { getParameter } from "@pulumi/aws/ssm";
import type { StateResource } from "../../resources/ownState";
import type { EksConfig } from "../../cluster/onEks/eksConfig";
import type { KnownVersions } from "../eksCluster";
import { addonNames, addonVersions, followedImages, lockedRelease, lockFaults } from "./choose";
import { releaseParameter } from "./images";

/** Image releases by pool: the latest one for `latest`, the recorded one for `pinned`. */
async function imageReleases(config: EksConfig, provider: Provider): Promise<Readonly<Record<string, string>>> {
  const newest = new Map<string, Promise<string>>();
  const ask = (name: string): Promise<string> => {
    const asked = newest.get(name) ?? getParameter({ name }, { provider }).then(({ insecureValue }) => insecureValue);
    newest.set(name, asked);
    return asked;
  };
  const all = followedImages(config).map(async (image): Promise<[string, string][]> => {
    const release =
      image.ami === "latest" ? await ask(releaseParameter(image.amiType, image.minor)) : lockedRelease(config, image);
    return release === undefined ? [] : [[image.pool, release]];
  });
  return Object.fromEntries((await Promise.all(all)).flat());
}

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
