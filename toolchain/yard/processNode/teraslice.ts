import * as fs from "node:fs";
import * as path from "node:path";
import { toolsFolder } from "../../bootstrap/paths.js";
import type { ProcessImage } from "./images";
import { noProcessNode } from "./node";
import { openSearchImage } from "./openSearch/openSearch";

/** Teraslice with its search engine, as processes. */
export interface TerasliceStack {
  readonly images: readonly ProcessImage[];
  /** Versions of Teraslice, oldest first. */
  readonly versions: readonly [string, ...string[]];
  /** Folder of the newest one. */
  readonly newest: string;
  /** Packages that assets are bundled with: of the oldest version, as newer masters run assets of older ones, but not the reverse. */
  readonly modules: string;
}

/** Finds it on this machine, or says what is missing. */
export async function terasliceStack(root: string): Promise<TerasliceStack | { readonly missing: string }> {
  const missing = noProcessNode();
  if (missing !== undefined) return { missing };
  const folders = terasliceFolders();
  const [oldest, ...newer] = folders;
  if (oldest === undefined) return { missing: MISSING };
  const search = await openSearchImage(root);
  if ("missing" in search) return search;
  return {
    images: [...folders.map(terasliceImage), search.image],
    versions: [oldest.version, ...newer.map(({ version }) => version)],
    newest: (newer.at(-1) ?? oldest).folder,
    modules: path.join(oldest.folder, "packages", "teraslice", "node_modules"),
  };
}

/** A checkout of Teraslice whose packages are built. */
interface TerasliceFolder {
  readonly folder: string;
  readonly version: string;
}

/**
 * The built checkouts of Teraslice, oldest first: those in `TERASLICE`, separated by colons, else folders `teraslice-*` of the tools. Nothing here
 * builds one, as not all of its packages are published.
 */
export function terasliceFolders(env: NodeJS.ProcessEnv = process.env): readonly TerasliceFolder[] {
  const given = env["TERASLICE"];
  return (given === undefined ? inTools() : given.split(":").filter((folder) => folder !== ""))
    .map((folder) => ({ folder: path.resolve(folder), version: versionOf(folder) }))
    .sort((a, b) => a.version.localeCompare(b.version, "en", { numeric: true }));
}

const MISSING =
  "no built checkout of Teraslice: build one as its README says, and set TERASLICE to its folder, or to several folders with colons between them";

function inTools(): string[] {
  const tools = toolsFolder();
  const names = fs.existsSync(tools) ? fs.readdirSync(tools).filter((name) => name.startsWith("teraslice-")) : [];
  return names.map((name) => path.join(tools, name));
}

function versionOf(folder: string): string {
  const built = path.join(folder, "packages", "teraslice", "dist", "src", "index.js");
  if (!fs.existsSync(built))
    throw new Error(`TERASLICE: ${built} does not exist; expected a built checkout of Teraslice`);
  const { version } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8")) as { version: string };
  return version;
}

/** The image of a version, as Teraslice's Containerfile makes it. */
function terasliceImage({ folder, version }: TerasliceFolder): ProcessImage {
  const node = path.dirname(process.execPath);
  return {
    name: `(^|/)terascope/teraslice:v${version.replaceAll(".", "\\.")}-`,
    folders: [node, folder],
    env: {
      PATH: `${node}:/usr/bin:/bin`,
      HOME: "/home/teraslice",
      NODE_ENV: "production",
      TERAFOUNDATION_CONFIG: "/app/config/teraslice.yaml",
    },
    args: ["node", "service.js"],
    user: 10001,
    workingDir: folder,
  };
}
