import { startYard } from "../yard/yard";
import { run } from "./run";

/** `make bench`: runs the benchmarks on this checkout's yard. */
export async function bench(root: string): Promise<number> {
  const yard = await startYard();
  return run(process.execPath, ["--import", "tsx", "bench/run.ts"], { cwd: root, env: yard.env });
}
