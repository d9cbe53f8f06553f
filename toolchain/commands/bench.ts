import * as path from "node:path";
import { startYard } from "../yard";
import { run } from "./run";
import { keepingStackFile } from "./stackFile";

/** `make bench`: the benchmarks, on this checkout's yard. */
export async function bench(root: string): Promise<number> {
  const yard = await startYard();
  let code = 1;
  await keepingStackFile(path.join(root, "Pulumi.dev.yaml"), async () => {
    code = await run(process.execPath, ["--import", "tsx", "bench/run.ts"], { cwd: root, env: yard.env });
  });
  return code;
}
