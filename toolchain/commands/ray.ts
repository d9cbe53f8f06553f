import { startYard } from "../yard/yard";
import { run } from "./run";

const STACK = "dev";
/** A new cluster is like this one, which fits into the yard. */
const LIKE = { up: ["--like", "default"], down: [] } as const;

/**
 * `make ray-up` and `make ray-down`: enables or disables the Ray cluster `NAME` of the stack `dev` on the local yard.
 */
const turn =
  (what: "up" | "down") =>
  async (root: string): Promise<number> => {
    const name = process.env["NAME"] || "default";
    const yard = await startYard();
    return run("stackyard", ["ray", what, name, "--stack", STACK, "--yes", ...LIKE[what]], {
      cwd: root,
      env: yard.env,
    });
  };

export const rayUp = turn("up");
export const rayDown = turn("down");
