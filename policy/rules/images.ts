import { perContainer } from "../objects";
import { at } from "../../foundation/json/parts";
import type { Finding, Rule } from "../rule";
import { isObject } from "../../foundation/json/isObject";

/** Whether an image reference is mutable: no digest, and no tag or a branch-like one. */
export function isMutable(image: string): boolean {
  if (image.includes("@sha256:")) return false;
  const tag = /:([^/:]+)$/.exec(image)?.[1];
  return tag === undefined || tag === "latest" || tag === "main" || tag === "master";
}

/** Finds `tag: latest` or `image: nginx:latest` anywhere in the values of a Helm release or chart. */
function inValues(values: unknown, path: string): Finding[] {
  if (Array.isArray(values)) return values.flatMap((each, index) => inValues(each, `${path}[${index}]`));
  if (!isObject(values)) return [];
  return Object.entries(values).flatMap(([key, value]) => {
    if (/image$/i.test(key) && typeof value === "string" && /:(latest|main|master)$/.test(value))
      return [{ part: `${path}.${key}`, message: EXPECTED(value) }];
    if (/(^t|T)ag$/.test(key) && /^(latest|main|master)$/.test(String(value)))
      return [{ part: `${path}.${key}`, message: EXPECTED(`:${String(value)}`) }];
    return inValues(value, `${path}.${key}`);
  });
}

const EXPECTED = (found: string): string => `found the image ${found}; expected a version as its tag, or a digest`;

export const images: Rule = {
  name: "pinned-images",
  description: "Images have a version or a digest, so that running software changes only with the config.",
  check: (asked) => [
    ...perContainer(asked, ({ image }) =>
      typeof image === "string" && isMutable(image) ? EXPECTED(image === "" ? "without a name" : image) : undefined,
    ),
    ...(/^kubernetes:helm(\.sh)?\//.test(asked.type) ? inValues(at(asked.props, "values"), "values") : []),
  ],
};
