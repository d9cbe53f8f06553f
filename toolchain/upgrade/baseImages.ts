/** Base images of a Containerfile: the tag says the version, the digest pins what that tag is today. */

import { imageDigest } from "../../bundles/image/imageDigest";

const BASE = /^(ARG \w+_IMAGE=)([^\s@]+)(?:@\S+)?$/gm;

/** A base image by its tag, with its digest, or with the reason why that is not known. */
export interface Pinned {
  readonly image: string;
  readonly digest?: string;
  readonly reason?: string;
}

/** The base images that a Containerfile names, without digests. Pure. */
export const baseImages = (text: string): string[] => [...text.matchAll(BASE)].map(([, , image = ""]) => image);

/** Writes the digests into a Containerfile. One that is not known goes: it may be that of another tag. Pure. */
export function withDigests(text: string, pinned: readonly Pinned[]): string {
  const digests = new Map(pinned.map(({ image, digest }) => [image, digest]));
  return text.replace(BASE, (_, argument: string, image: string) => {
    const digest = digests.get(image);
    return digest === undefined ? `${argument}${image}` : `${argument}${image}@${digest}`;
  });
}

/** Asks the registry of an image for the digest of its tag. */
export async function pinned(image: string): Promise<Pinned> {
  try {
    return { image, digest: await imageDigest(image) };
  } catch (error) {
    return { image, reason: error instanceof Error ? error.message : String(error) };
  }
}
