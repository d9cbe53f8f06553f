import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from "@zip.js/zip.js";

/** Packs the files of a folder into an archive for Ray. */
export async function archiveOf(content: ReadonlyMap<string, Uint8Array>): Promise<Uint8Array> {
  const zip = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false });
  for (const [name, bytes] of content) await zip.add(name, new Uint8ArrayReader(bytes));
  return zip.close();
}
