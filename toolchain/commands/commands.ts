import { startYard, yardExports } from "../yard/yard";
import { docs } from "./docs";
import { down } from "./down";
import { garden } from "./garden";
import { gardenerUp } from "./gardener";
import { karpenterDown, karpenterUp } from "./karpenter";
import { rayDown, rayUp } from "./ray";
import { run } from "./run";
import { serve } from "./serve";
import { story } from "./story";
import { TERASLICE } from "./teraslice/teraslice";
import { test } from "./test";
import { up } from "./up";
import { upgrade } from "./upgrade";
import { requests, upstream } from "./upstream";

/** `make bench`: runs the benchmarks on this checkout's yard. */
async function bench(root: string): Promise<number> {
  const yard = await startYard();
  return run(process.execPath, ["--import", "tsx", "bench/run.ts"], { cwd: root, env: yard.env });
}

/** `make check`: types, lint and format. */
function check(root: string): Promise<number> {
  return run("npm", ["run", "--silent", "check"], { cwd: root });
}

/** `make env`: prints the environment for working with the yard, for `eval "$(make -s env)"`. Starts nothing. */
async function env(): Promise<number> {
  process.stdout.write(await yardExports());
  return 0;
}

/** The commands of make. Each one does its own set-up and returns its exit code. */
export const COMMANDS = {
  up,
  down,
  env,
  test,
  check,
  bench,
  docs,
  upgrade,
  upstream,
  requests,
  garden,
  serve,
  story,
  "gardener-up": gardenerUp,
  "ray-up": rayUp,
  "ray-down": rayDown,
  "karpenter-up": karpenterUp,
  "karpenter-down": karpenterDown,
  ...TERASLICE,
} as const;

export function isCommand(name: string): name is keyof typeof COMMANDS {
  return Object.hasOwn(COMMANDS, name);
}
