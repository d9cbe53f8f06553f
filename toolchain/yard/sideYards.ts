import * as fs from "node:fs";
import * as path from "node:path";
import { isLocked } from "../bootstrap/lock";

/** Names of the yards in a checkout beside the one of `make up`, by what runs in them. */
const SIDE_YARDS = { test: /^test(-\d+)?$/, upstream: /^upstream$/, garden: /^garden(-double)?$/ } as const;

/** Such a yard; `garden-double` is that of the double, which is compared with Gardener's own API server. */
export const sideYard = (root: string, name: "upstream" | "garden" | "garden-double"): string =>
  path.join(root, ".yard", name);

/** Yard of engine tests; test/engine/hooks.ts starts and stops it. */
export function testYard(root: string, lane?: number): string {
  return path.join(root, ".yard", lane === undefined ? "test" : `test-${lane}`);
}

/** Held while tests, `make upstream` or `make garden` of a checkout run. */
export const sideLock = (root: string, program: keyof typeof SIDE_YARDS): string =>
  path.join(root, ".yard", `${program}.lock`);

/** Returns yards of killed programs. Yards of running programs are theirs to stop. */
export function leftYards(root: string): string[] {
  const folder = path.join(root, ".yard");
  if (!fs.existsSync(folder)) return [];
  const programs = ["test", "upstream", "garden"] as const;
  const left = programs.filter((program) => !isLocked(sideLock(root, program)));
  return fs
    .readdirSync(folder)
    .filter((name) => left.some((program) => SIDE_YARDS[program].test(name)))
    .map((name) => path.join(folder, name));
}
