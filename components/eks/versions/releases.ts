import { getParameter } from "@pulumi/aws/ssm";
import type { Provider } from "@pulumi/aws/provider";
import type { EksConfig } from "../../cluster/onEks/eksConfig";
import { followedImages, lockedRelease } from "./choose";
import { releaseParameter } from "./images";

/** Image releases by pool: the latest one for `latest`, the recorded one for `pinned`. */
export async function imageReleases(config: EksConfig, provider: Provider): Promise<Readonly<Record<string, string>>> {
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
