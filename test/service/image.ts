import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { projectRoot } from "../../toolchain/root";

const CONTAINERFILE = path.join(projectRoot(), "service", "Containerfile");

/** What the stage `build` of the container file copies out of the project's folder, each to the same place in the image. */
export function copiedFiles(): string[] {
  const text = readFileSync(CONTAINERFILE, "utf8").replaceAll("\\\n", " ");
  const stage = text.split(/^(?=FROM )/m).find((one) => /^FROM .* AS build$/m.test(one)) ?? "";
  return [...stage.matchAll(/^COPY (.*) (\S+)$/gm)].flatMap(([line, from = "", to = ""]) => {
    const files = from.split(" ");
    const isSame = to === "./" ? files.every((file) => !file.includes("/")) : files.length === 1 && files[0] === to;
    if (!isSame) throw new Error(`${line}: expected the same place in the image`);
    return files;
  });
}

/** Packages that `npm ci --omit=dev` installs, by the lock file, without those that the container file removes again. */
function installed(): string[] {
  const [, removed = ""] = / rm -r (.*)$/m.exec(readFileSync(CONTAINERFILE, "utf8")) ?? [];
  const text = readFileSync(path.join(projectRoot(), "package-lock.json"), "utf8");
  const { packages } = JSON.parse(text) as { packages: Record<string, { dev?: boolean }> };
  return Object.entries(packages).flatMap(([key, { dev }]) => {
    const [, name] = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(key) ?? [];
    const isRemoved = removed.split(" ").some((folder) => `${key}/`.startsWith(`${folder}/`));
    return name === undefined || dev === true || isRemoved ? [] : [name];
  });
}

/** A folder with exactly what the image has below /app. */
export class ImageFolder {
  readonly folder = mkdtempSync(path.join(tmpdir(), "stackyard-image-"));
  private readonly before: string[];

  constructor() {
    for (const file of copiedFiles()) cpSync(path.join(projectRoot(), file), path.join(this.folder, file), COPY);
    for (const name of installed()) {
      const place = path.join(this.folder, "node_modules", name);
      mkdirSync(path.dirname(place), { recursive: true });
      symlinkSync(path.join(projectRoot(), "node_modules", name), place);
    }
    execFileSync(process.execPath, ["foundation/loader/seal.js"], { cwd: this.folder });
    this.before = this.files();
  }

  /** What was added, removed or written since. Processes of root may write to what is read-only, so this looks itself. */
  changes(): string[] {
    const after = new Set(this.files());
    return [...this.before.filter((line) => !after.delete(line)), ...after];
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private files(): string[] {
    // Packages are links, and belong to the checkout.
    const cache = globSync("node_modules/.cache/**", { cwd: this.folder });
    const own = globSync("*/**", { cwd: this.folder, exclude: (name) => name === "node_modules" });
    return [...own, ...cache].map((file) => {
      const { size, mtimeMs } = statSync(path.join(this.folder, file));
      return `${file} ${size} ${mtimeMs}`;
    });
  }
}

/** A stack file of the checkout's owner is no part of an image. */
const COPY = { recursive: true, filter: (file: string) => !/(^|\/)Pulumi\.[^/]+\.yaml$/.test(file) };
