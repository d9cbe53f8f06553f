/** Fills a tree from an archive in any supported format. */

import { Refused } from "../errors";
import type { TreeBuilder } from "../tree/builder";
import { decompress, packingOf } from "./decompress";
import { drain, peek, type Bytes } from "../../foundation/net/streams";
import { readTar, type TarSink } from "./tar";
import { readZip } from "./zip";

/** Reads a tar, tar.gz, tar.zst or zip archive completely. */
export async function unpack(source: Bytes, builder: TreeBuilder): Promise<void> {
  const { head, all } = await peek(source, 4);
  if (head.length === 0) throw new Refused("it is empty; expected tar, tar.gz, tar.zst or zip");
  if (/^\s*</.test(head.toString("latin1")))
    throw new Refused("it is a page of HTML or XML, such as a form to log in; expected tar, tar.gz, tar.zst or zip");
  if (packingOf(head) === "zip") await readZip(all, builder);
  else await readTar(decompress(all, builder.limits, { unpacked: 0 }), intoTree(builder));
  await drain(all);
}

function intoTree(builder: TreeBuilder): TarSink {
  let path = "";
  return {
    begin(entry) {
      path = builder.entry(entry.path);
      if (entry.kind === "folder") builder.folder(path);
      else if (entry.kind === "link") builder.link(path, entry.target);
      else if (entry.kind === "hard link") builder.hardLink(path, entry.target);
      else if (entry.kind === "special") builder.special(path, "a device, a socket or a pipe");
      if (entry.kind !== "file" || !builder.wants(path)) return false;
      builder.room(path, entry.size);
      return true;
    },
    end(_, content) {
      builder.file(path, content);
    },
  };
}
