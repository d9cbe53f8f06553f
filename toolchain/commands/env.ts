import { yardExports } from "../yard/yard";

/** `make env`: prints the environment for working with the yard, for `eval "$(make -s env)"`. Starts nothing. */
export async function env(): Promise<number> {
  process.stdout.write(await yardExports());
  return 0;
}
