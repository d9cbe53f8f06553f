import path from "node:path";
import { ensureTools } from "../../tools/ensure";
import { versitygw } from "../../tools/versitygw";
import type { ProcessImage } from "./images";

/** The image of an S3 server that keeps objects as files of a folder, with the program of the same version. */
export async function storeImage(root: string): Promise<ProcessImage> {
  const { programs } = await ensureTools(root, [versitygw]);
  const folder = path.dirname(programs["versitygw"] ?? "");
  return {
    name: `(^|/)versity/versitygw:v${versitygw.version.replaceAll(".", "\\.")}$`,
    folders: [folder],
    env: { PATH: `${folder}:/usr/bin:/bin` },
    command: ["versitygw"],
    user: 0,
    workingDir: "/",
  };
}
