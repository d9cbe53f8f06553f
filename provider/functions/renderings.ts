/**
 * Cached renderings of charts. Values may contain secrets, so a rendering is encrypted with a key derived from
 * everything that it was rendered from.
 */

import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import type { BundleCache } from "../../bundles/cache";
import { makeTree } from "../../bundles/tree/tree";
import type { Json } from "../../foundation/json/isObject";

const FILE = "objects";
const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** `made` is the text of all inputs of a rendering. Undefined if it is not cached. */
export async function findRendering(cache: BundleCache, made: string): Promise<Json[] | undefined> {
  const kept = (await cache.find(noteOf(made)))?.files.get(FILE);
  return kept && (JSON.parse(decrypted(kept, made)) as Json[]);
}

export async function keepRendering(cache: BundleCache, made: string, objects: readonly Json[]): Promise<void> {
  await cache.keep(noteOf(made), makeTree([[FILE, encrypted(JSON.stringify(objects), made)]]));
}

const hash = (text: string): Buffer => createHash("sha256").update(text).digest();
const noteOf = (made: string): string => `rendering ${hash(`note of ${made}`).toString("hex")}`;
const keyOf = (made: string): Buffer => hash(`key of ${made}`);

function encrypted(text: string, made: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(made), iv, { authTagLength: TAG_BYTES });
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]);
}

function decrypted(kept: Buffer, made: string): string {
  const tagEnd = IV_BYTES + TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, keyOf(made), kept.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(kept.subarray(IV_BYTES, tagEnd));
  return Buffer.concat([decipher.update(kept.subarray(tagEnd)), decipher.final()]).toString("utf8");
}
