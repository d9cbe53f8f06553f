/** Makes an image of a bundle and brings it into a registry. */

import { packTree } from "../archive/pack";
import { Refused } from "../errors";
import { shownPath } from "../tree/paths";
import type { FileTree } from "../tree/tree";
import { OCI } from "./manifest";
import type { Repository } from "./reference";
import { digestLike, Registry, type RegistryOptions } from "./registry";

/**
 * Sends an image with one layer, which has the bundle's files at its root; blobs that the registry has are not sent again.
 * The same bundle is the same image each time. Returns the digest of its manifest. Throws Unavailable, or {@link Refused}.
 */
export async function pushImage(
  tree: FileTree,
  place: Repository,
  tag: string,
  options: Omit<RegistryOptions, "writing">,
): Promise<string> {
  checkNames(tree);
  const { bytes: layer, unpackedDigest } = await packTree(tree);
  // Bundles are for every platform; this is the one that is taken where none is asked for.
  const config = json({
    architecture: "amd64",
    os: "linux",
    config: {},
    rootfs: { type: "layers", diff_ids: [unpackedDigest] },
  });
  const manifest = json({
    schemaVersion: 2,
    mediaType: OCI.manifest,
    config: descriptorOf(OCI.config, config),
    layers: [descriptorOf(OCI.layer, layer)],
  });
  const registry = new Registry(place, { ...options, writing: true });
  for (const blob of [layer, config]) {
    const digest = digestLike("sha256:", blob);
    if (!(await registry.hasBlob(digest))) await registry.sendBlob(digest, blob);
  }
  await registry.sendManifest(tag, OCI.manifest, manifest);
  return digestLike("sha256:", manifest);
}

const json = (value: object): Buffer => Buffer.from(JSON.stringify(value));

const descriptorOf = (mediaType: string, bytes: Buffer) => ({
  mediaType,
  digest: digestLike("sha256:", bytes),
  size: bytes.length,
});

/** In a layer such a name is an order to take another file away. */
function checkNames({ files, emptyFolders }: FileTree): void {
  const found = [...files.keys(), ...emptyFolders].find((path) => /(^|\/)\.wh\./.test(path));
  if (found === undefined) return;
  throw new Refused(`found ${shownPath(found)}; expected no name that begins with .wh., which no image can hold`);
}
