/** Links of a page, from where it is in the repository to where it is on the site. Pure. */

import { posix } from "node:path";

/** A relative link of a Markdown page: the text or image before it, the target, and its anchor. */
const LINK = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\((?![a-z]+:|#)([^)\s#]+)(#[^)\s]+)?\)/g;

/** Fenced blocks, whose text is never a link. */
const FENCE = /^( *```)[^\n]*\n.*?^\1$/gms;

/** What a link points to: a file that is on the site, by its path there; a folder, or nothing. */
export type Place = (file: string) => string | undefined;

/**
 * Returns the page with links to the site's pages, relative to its own path there. What has no page there, such as a
 * folder, stays as text.
 * @param page - path of the page in the repository
 * @param place - path on the site of a file in the repository
 */
export function linked(text: string, page: string, place: Place): string {
  const here = posix.dirname(place(page) ?? page);
  const replaced = (part: string): string =>
    part.replace(LINK, (_, image: string, label: string, target: string, anchor = "") => {
      const to = place(posix.join(posix.dirname(page), target));
      if (to === undefined) return label;
      const path = posix.relative(here, to);
      return `${image}[${label}](${path.startsWith(".") ? path : `./${path}`}${anchor})`;
    });
  const fences = [...text.matchAll(FENCE)];
  let [result, at] = ["", 0];
  for (const { index, 0: fence } of fences) {
    result += replaced(text.slice(at, index)) + fence;
    at = index + fence.length;
  }
  return result + replaced(text.slice(at));
}

/** Files that the links of a page name, by their paths in the repository. */
export const targetsOf = (text: string, page: string): string[] =>
  [...text.replace(FENCE, "").matchAll(LINK)].map(([, , , target = ""]) =>
    posix.join(posix.dirname(page), target).replace(/\/$/, ""),
  );
