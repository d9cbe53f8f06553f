import { parseReference } from "../../foundation/registry/reference";
import { Registry } from "../../foundation/registry/registry";
import { ownCredentials } from "./credentials";
import { ACCEPTED } from "./manifest";

/**
 * Asks the registry of an image, with the user's own credentials, for the digest of its tag, by default `latest`: of the
 * index, if there are images for several processors.
 */
export async function imageDigest(image: string): Promise<string> {
  const { tag = "latest", ...place } = parseReference(image);
  const registry = new Registry(place, { trust: {}, credentials: await ownCredentials(place) });
  return (await registry.manifest(tag, ACCEPTED)).digest;
}
