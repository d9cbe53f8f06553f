// `npm run docs`: the reference of all components and resources, from their doc comments.
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

/** Files with a class that programs can use. */
const entryPoints = globSync("components/**/*.ts", { cwd: root })
  .filter((file) => /extends pulumi\.(Component|Custom)Resource\b/.test(readFileSync(`${root}/${file}`, "utf8")))
  .sort()
  .map((file) => `${root}/${file}`);

/** @type {Partial<import("typedoc").TypeDocOptions>} */
export default {
  name: "Stackyard",
  entryPoints,
  out: `${root}/docs/api`,
  tsconfig: `${root}/tsconfig.json`,
  readme: "none",
  githubPages: false,
  excludeInternal: true,
  excludePrivate: true,
  excludeProtected: true,
  excludeExternals: true,
  disableSources: true,
  treatWarningsAsErrors: true,
  validation: { notExported: false, invalidLink: true, notDocumented: false },
};
