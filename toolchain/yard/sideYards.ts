import * as fs from "node:fs";
import * as path from "node:path";
import { isLocked } from "../bootstrap/lock";

/** Additional yards in a checkout beside the one of `make up`, and the lock that each program holds while it runs. */
const SIDE_YARDS = [
  { names: /^test(-\d+)?$/, lock: testLock },
  { names: /^upstream$/, lock: upstreamLock },
  { names: /^garden(-double)?$/, lock: gardenLock },
] as const;

/** Yard of engine tests; test/engine/hooks.ts starts and stops it. */
export function testYard(root: string, lane?: number): string {
  return path.join(root, ".yard", lane === undefined ? "test" : `test-${lane}`);
}

/** Held while tests of a checkout run. */
export function testLock(root: string): string {
  return path.join(root, ".yard", "test.lock");
}

/** Yard of `make upstream`. */
export function upstreamYard(root: string): string {
  return path.join(root, ".yard", "upstream");
}

/** Held while `make upstream` of a checkout runs. */
export function upstreamLock(root: string): string {
  return path.join(root, ".yard", "upstream.lock");
}

/** Yard of `make garden`. */
export function gardenYard(root: string): string {
  return path.join(root, ".yard", "garden");
}

/** Yard of `make garden` for the double, which is compared with Gardener's own API server. */
export function gardenDoubleYard(root: string): string {
  return path.join(root, ".yard", "garden-double");
}

/** Held while `make garden` of a checkout runs. */
export function gardenLock(root: string): string {
  return path.join(root, ".yard", "garden.lock");
}

/** Returns yards of killed programs. Yards of running programs are theirs to stop. */
export function leftYards(root: string): string[] {
  const folder = path.join(root, ".yard");
  if (!fs.existsSync(folder)) return [];
  const left = SIDE_YARDS.filter(({ lock }) => !isLocked(lock(root)));
  return fs
    .readdirSync(folder)
    .filter((name) => left.some(({ names }) => names.test(name)))
    .map((name) => path.join(folder, name));
}
