/** The navigation of the site, which is the list in docs/README.md. Pure. */

export interface Entry {
  readonly text: string;
  readonly link: string;
}

export interface Group {
  readonly text: string;
  readonly collapsible: boolean;
  readonly collapsed: boolean;
  readonly items: (Entry | Group)[];
}

/** The site's address of a page, which is relative to docs/. */
export const routeOf = (page: string): string => `/${page.replace(/\.md$/, "").replace(/(^|\/)README$/, "$1")}`;

/** Groups of entries by the headings of the index: one for each `##`, with one for each `###` inside of it. */
export function navigationOf(index: string): Group[] {
  const groups: Group[] = [];
  for (const line of index.split("\n")) {
    const [, level = "", title = ""] = /^(##|###) (.*)$/.exec(line) ?? [];
    const [, text, target] = /^- \[(.*?)\]\((.*?\.md)\)/.exec(line) ?? [];
    const part = groups.at(-1)?.items.findLast((item) => "items" in item);
    if (level === "##") groups.push({ text: title, collapsible: false, collapsed: false, items: [] });
    if (level === "###") groups.at(-1)?.items.push({ text: title, collapsible: true, collapsed: true, items: [] });
    if (text !== undefined && target !== undefined)
      (part ?? groups.at(-1))?.items.push({ text: text.replaceAll("`", ""), link: routeOf(target) });
  }
  return groups;
}
