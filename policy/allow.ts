import { at } from "../foundation/json/parts";
import { isObject } from "../foundation/json/isObject";

/** Names that need not keep a rule, each with the reason that somebody wrote down. */
export type Allowance = Readonly<Record<string, string>>;

/** The allowance in a rule's config, as `--policy-pack-config` gives it. */
export function allowanceOf(config: unknown): Allowance {
  const allow = at(config, "allow");
  return isObject(allow) ? (allow as Allowance) : {};
}

/** Whether a resource, or the part of it, is among them. */
export const isAllowed = (allow: Allowance, resource: string, part: string): boolean =>
  Object.hasOwn(allow, resource) || (part !== "" && Object.hasOwn(allow, part));
