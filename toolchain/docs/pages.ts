/** The pages of the site: those of docs/, the files that they link to, and the reference of the package. */

import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { linked, targetsOf, type Place } from "./linked";
import { componentPages, type PackageSchema } from "./components";

/** Languages of files by their extensions, where the highlighter has another name for them. */
const LANGUAGES: Readonly<Record<string, string>> = { "": "text", Containerfile: "dockerfile" };

/** Folder of the site with the files that pages link to. */
const FILES = "files";

const isPage = (file: string): boolean => file.startsWith("docs/") && /\.(?:md|svg|png)$/.test(file);

/** Path on the site of each file of the repository that it shows. */
function placesOf(root: string, files: readonly string[]): Place {
  const shown = new Set(files.filter((file) => statSync(join(root, file), { throwIfNoEntry: false })?.isFile()));
  return (file) => {
    if (isPage(file))
      return existsSync(join(root, file)) ? file.slice(5).replace(/README\.md$/, "index.md") : undefined;
    return shown.has(file) ? `${FILES}/${file.replace(/\.md$/, "")}.md` : undefined;
  };
}

/** A file as a page with its text. */
function filePage(file: string, text: string): string {
  const name = file.split("/").at(-1) ?? file;
  const language = LANGUAGES[name] ?? LANGUAGES[extname(name)] ?? extname(name).slice(1);
  return `# ${file}\n\n\`\`\`\`${language}\n${text.trimEnd()}\n\`\`\`\`\n`;
}

/** All files of the site's source by their paths, from the files of the repository. */
export function sitePages(root: string): Map<string, string | Buffer> {
  const read = (file: string): string => readFileSync(join(root, file), "utf8");
  const docs = globSync("docs/**/*.{md,svg,png}", { cwd: root }).sort();
  const texts = docs.filter((file) => file.endsWith(".md"));
  const others = [...new Set(texts.flatMap((page) => targetsOf(read(page), page)))].filter((file) => !isPage(file));
  const place = placesOf(root, others);
  const pages = new Map<string, string | Buffer>();
  for (const file of [...docs, ...others]) {
    const to = place(file);
    if (to === undefined) continue;
    if (/\.(?:svg|png)$/.test(file)) pages.set(to, readFileSync(join(root, file)));
    else pages.set(to, file.endsWith(".md") ? linked(read(file), file, place) : filePage(file, read(file)));
  }
  const schema = JSON.parse(read("provider/package.schema.json")) as PackageSchema;
  for (const [name, text] of componentPages(schema)) pages.set(`package/${name}.md`, text);
  return pages;
}
