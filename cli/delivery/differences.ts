import { isObject } from "../../foundation/json/isObject";
/** A key in which two stacks differ. */
export interface StackDifference {
  /** `cluster.nodePools.general.max`. */
  readonly path: string;
  /** Undefined if it is not set. */
  readonly from: string | undefined;
  readonly to: string | undefined;
}

const SECRET = "[secret]";

/** An encrypted value of a stack file. Only its presence is compared, because ciphertexts always differ. */
const isEncrypted = (value: unknown): boolean =>
  isObject(value) && Object.keys(value).length === 1 && typeof value["secure"] === "string";

function leaves(value: unknown, path: string): [string, string][] {
  if (isEncrypted(value)) return [[path, SECRET]];
  if (!isObject(value) || Object.keys(value).length === 0) return [[path, JSON.stringify(value)]];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, path === "" ? key : `${path}.${key}`));
}

/** Returns the differences between two configs or two sets of outputs, sorted by path. Pure. */
export function differencesBetween(
  from: Readonly<Record<string, unknown>>,
  to: Readonly<Record<string, unknown>>,
): StackDifference[] {
  const [left, right] = [from, to].map((side) => new Map(leaves(side, "").filter(([path]) => path !== "")));
  const paths = [...new Set([...(left?.keys() ?? []), ...(right?.keys() ?? [])])].sort();
  return paths
    .map((path) => ({ path, from: left?.get(path), to: right?.get(path) }))
    .filter((each) => each.from !== each.to);
}
