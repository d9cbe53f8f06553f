import { isFree } from "./ports";
import { allProcesses, end, ofYard, type Process } from "./processes";
import type { Layout } from "./layout";

/** Port of the engine that a Pulumi plugin was started for, which is its first argument. */
export function enginePort({ args }: Process): number | undefined {
  const port = /^127\.0\.0\.1:(\d+)$/.exec(args[1] ?? "")?.[1];
  return port === undefined ? undefined : Number(port);
}

/** Stops plugins whose engine was killed, which would wait for it forever. */
export async function endOrphans(layout: Layout): Promise<number> {
  const plugins = ofYard(allProcesses(), [layout.pulumiHome]);
  const orphans: Process[] = [];
  for (const plugin of plugins) {
    const port = enginePort(plugin);
    if (port !== undefined && (await isFree(port))) orphans.push(plugin);
  }
  await end(orphans, "SIGTERM", 2000);
  return orphans.length;
}
