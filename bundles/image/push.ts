/** Builds an image from a bundle and pushes it to a registry. */

import { packTree } from "../archive/pack";
import { Refused } from "../errors";
import { shownPath } from "../tree/paths";
import type { FileTree } from "../tree/tree";
import { OCI } from "./manifest";
import type { Reference } from "../../foundation/registry/reference";
import { digestLike, Registry } from "../../foundation/registry/registry";
import { type RegistryOptions } from "../../foundation/registry/options";

interface PushingOptions extends Omit<RegistryOptions, "writing"> {
  /** Called while a blob is sent, with the bytes sent and the total. */
  readonly sent?: (bytes: number, all: number) => void;
}

/**
 * Pushes an image with one layer that has the bundle's files at its root. Blobs that the registry already has are not
 * sent again. The image is reproducible; if the name has a digest, it must match. Returns the digest of the manifest.
 * Throws Unavailable or {@link Refused}.
 */
export async function pushImage(
  tree: FileTree,
  { tag, digest: expected, ...place }: Reference,
  { sent, ...options }: PushingOptions,
): Promise<string> {
  checkNames(tree);
  const { bytes: layer, unpackedDigest } = await packTree(tree);
  // Bundles work on every platform; this is the default choice from an index.
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
  const digest = digestLike("sha256:", manifest);
  if (expected !== undefined && expected !== digest) {
    throw new Refused(`its image has the digest ${digest}; expected ${expected}, and nothing was sent`);
  }
  const registry = new Registry(place, { ...options, writing: true });
  for (const blob of [layer, config]) {
    const wanted = digestLike("sha256:", blob);
    if (await registry.hasBlob(wanted)) continue;
    await registry.sendBlob(wanted, blob, (bytes) => sent?.(bytes, blob.length));
  }
  await registry.sendManifest(tag ?? digest, OCI.manifest, manifest);
  return digest;
}

const json = (value: object): Buffer => Buffer.from(JSON.stringify(value));

const descriptorOf = (mediaType: string, bytes: Buffer) => ({
  mediaType,
  digest: digestLike("sha256:", bytes),
  size: bytes.length,
});

/** In a layer, such a name would delete another file. */
function checkNames({ files, emptyFolders }: FileTree): void {
  const found = [...files.keys(), ...emptyFolders].find((path) => /(^|\/)\.wh\./.test(path));
  if (found === undefined) return;
  throw new Refused(`found ${shownPath(found)}; expected no name that begins with .wh., which no image can hold`);
}
