import { bench } from "./bench";
import { check } from "./check";
import { down } from "./down";
import { env } from "./env";
import { gardenerUp } from "./gardener";
import { karpenterDown, karpenterUp } from "./karpenter";
import { rayDown, rayUp } from "./ray";
import { serve } from "./serve";
import { TERASLICE } from "./teraslice";
import { test } from "./test";
import { up } from "./up";
import { upstream } from "./upstream";

/** The commands of make. Each one does its own set-up and returns its exit code. */
export const COMMANDS = {
  up,
  down,
  env,
  test,
  check,
  bench,
  upstream,
  serve,
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
