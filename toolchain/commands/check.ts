import { run } from "./run";

/** `make check`: types, lint and format. */
export function check(root: string): Promise<number> {
  return run("npm", ["run", "--silent", "check"], { cwd: root });
}
