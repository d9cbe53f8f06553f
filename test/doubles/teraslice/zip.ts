import { TextReader, Uint8ArrayWriter, ZipWriter } from "@zip.js/zip.js";

/** Packs an asset bundle like its tools: `asset.json`, and one file whose text determines the content. */
export async function assetZip(name: string, version: string, text = "", more: object = {}): Promise<Buffer> {
  const zip = new ZipWriter(new Uint8ArrayWriter(), { lastModDate: new Date(0), extendedTimestamp: false });
  await zip.add("asset.json", new TextReader(JSON.stringify({ name, version, ...more })));
  await zip.add("index.js", new TextReader(`export const ASSETS = {}; // ${text}`));
  return Buffer.from(await zip.close());
}
