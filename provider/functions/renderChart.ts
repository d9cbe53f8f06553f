/** The function `renderChart`: renders a chart of this package with Helm's engine. */

import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { BundleCache } from "../../bundles/cache";
import { invokeHelm } from "../../bundles/format/helm/engine";
import { readFolder } from "../../bundles/sources/local";
import { TreeBuilder } from "../../bundles/tree/builder";
import { contentDigest, type FileTree, makeTree } from "../../bundles/tree/tree";
import { chartFolder } from "../../foundation/chartFolder";
import { canonicalJson } from "../../foundation/json/canonicalJson";
import type { FunctionHandler } from "../framework/function";
import { WANTED_VERSION } from "../../kubernetes/helmEngine/executable";
import type { Json } from "../../foundation/json/isObject";

/**
 * Cached renderings of charts. Values may contain secrets, so a rendering is encrypted with a key derived from
 * everything that it was rendered from.
 */
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

export interface ChartQuestion {
  /** Folder in `charts/`. */
  readonly chart: string;
  readonly releaseName: string;
  readonly namespace: string;
  readonly values: Readonly<Record<string, unknown>>;
}

export interface ChartAnswer {
  readonly objects: readonly Json[];
}

/**
 * Returns the cached rendering if no input changed: starting Helm's engine takes longer than the rest of an update
 * without changes. Only for charts that always render the same from the same values, as ours do.
 */
export const renderChart: FunctionHandler<ChartQuestion, ChartAnswer> = async (
  question,
  { chart, releaseName, namespace, values },
) => {
  const files = await filesOf(chartFolder(chart, __dirname), question.signal);
  const made = canonicalJson({ engine: WANTED_VERSION, digest: contentDigest(files), releaseName, namespace, values });
  const cache = new BundleCache((message) => question.log("warning", message));
  const known = await findRendering(cache, made);
  if (known !== undefined) return { objects: known };
  const options = { release_name: releaseName, namespace, values };
  const objects = (await invokeHelm(files.files, options, question.signal)) as Json[];
  await keepRendering(cache, made, objects);
  return { objects };
};

async function filesOf(folder: string, signal: AbortSignal): Promise<FileTree> {
  const builder = new TreeBuilder({ directory: "", keep: undefined, image: false });
  await readFolder(folder, builder, signal);
  return builder.build();
}
