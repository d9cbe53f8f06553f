import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "@rspress/core";
import type { PackageSchema } from "./components";
import { navigationOf } from "./navigation";

const root = join(__dirname, "..", "..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");

const { resources } = JSON.parse(read("provider/package.schema.json")) as PackageSchema;
const names = Object.keys(resources).map((token) => token.split(":").at(-1) ?? token);

/** What is generated besides the pages of docs/. */
const generated = [
  {
    text: "Components and resources",
    collapsible: true,
    collapsed: true,
    items: [
      { text: "In all languages", link: "/package/" },
      ...names.sort().map((text) => ({ text, link: `/package/${text}` })),
    ],
  },
];

const groups = navigationOf(read("docs/README.md")).map((group) =>
  group.text === "Reference" ? { ...group, items: [...group.items, ...generated] } : group,
);

/** The site, from the pages that `make docs` wrote. A link to a missing page or heading fails the build. */
export default defineConfig({
  root: join(root, ".site", "pages"),
  outDir: join(root, ".site", "html"),
  title: "Stackyard",
  description: "A data platform from one Pulumi program",
  globalStyles: join(__dirname, "site.css"),
  markdown: { link: { checkDeadLinks: true, checkAnchors: true }, showLineNumbers: false },
  themeConfig: { sidebar: { "/": groups }, darkMode: true, enableContentAnimation: false },
});
