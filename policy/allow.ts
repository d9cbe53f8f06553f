import { at } from "../foundation/json/parts";
import { isObject } from "../foundation/json/isObject";

/** Resources or objects that are exempt from a rule, each with its reason. */
type Allowance = Readonly<Record<string, string>>;

/** The allowance in a rule's config, as passed by `--policy-pack-config`. */
export function allowanceOf(config: unknown): Allowance {
  const allow = at(config, "allow");
  return isObject(allow) ? (allow as Allowance) : {};
}

/** Whether a resource or its part is exempt. */
export const isExempt = (allow: Allowance, resource: string, part: string): boolean =>
  Object.hasOwn(allow, resource) || (part !== "" && Object.hasOwn(allow, part));
