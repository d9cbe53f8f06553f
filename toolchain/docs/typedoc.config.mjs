// The reference of the package for TypeScript, from its doc comments, as a page of the site.
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

/** @type {Partial<import("typedoc").TypeDocOptions & import("typedoc-plugin-markdown").PluginOptions>} */
export default {
  name: "TypeScript API",
  entryPoints: [`${root}/library/index.ts`],
  out: `${root}/.site/pages/typescript`,
  tsconfig: `${root}/library/tsconfig.json`,
  plugin: ["typedoc-plugin-markdown"],
  router: "module",
  entryFileName: "index",
  hidePageHeader: true,
  hideBreadcrumbs: true,
  parametersFormat: "table",
  classPropertiesFormat: "table",
  readme: "none",
  // `npm run check` does.
  skipErrorChecking: true,
  excludeInternal: true,
  excludePrivate: true,
  excludeProtected: true,
  excludeExternals: true,
  disableSources: true,
  treatWarningsAsErrors: true,
  validation: { notExported: false, invalidLink: true, notDocumented: false },
};
