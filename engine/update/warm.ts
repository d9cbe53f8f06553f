import type { Workspace } from "../../foundation/pulumi/backend";
import { PulumiProcess, type Finished } from "../pulumi/pulumi";
import { findEngine, keepsOpen, WarmEngine } from "../pulumi/warmEngine";
import type { KeptProvider } from "./keptProvider";
import { KubernetesProvider } from "./kubernetesProvider";

/*
 * What a process that runs many operations keeps between them: the engine and the Kubernetes provider, whose start
 * takes half a second. One operation at a time, as in any process.
 */

let isWarm = false;
let engine: WarmEngine | undefined;
let provider: Promise<KeptProvider | undefined> | undefined;

/** Keeps both in this process from now on, and starts the engine ahead of demand. */
export function keepWarm(workspace: Workspace): void {
  isWarm = true;
  engine = start(workspace);
}

/** Runs one CLI command that changes or previews a stack: in the kept engine, or as a separate process. */
export function runEngine(
  args: readonly string[],
  workspace: Workspace,
  env: Readonly<Record<string, string>>,
): { readonly finished: Promise<Finished>; locked(): void } {
  const warm = isWarm ? (engine?.status() === "ready" ? engine : start(workspace)) : undefined;
  engine = undefined;
  if (warm === undefined) return new PulumiProcess(args, workspace, { env });
  const finished = warm.run(args, workspace, env).finally(() => {
    const status = warm.status();
    if (status === "ready") {
      engine = warm;
      return;
    }
    warm.close();
    // Started now, so that the next operation does not wait for it.
    if (status === "worn") engine = start(workspace);
  });
  return { finished, locked: () => warm.locked() };
}

/** Returns the Kubernetes provider for one operation. */
export async function kubernetesProvider(): Promise<{ readonly port: number; close(): void } | undefined> {
  if (!isWarm) return KubernetesProvider.start();
  const kept = await provider;
  if (kept?.isFit === true) return kept.use();
  kept?.end();
  const { KeptProvider } = await import("./keptProvider.js");
  provider = KeptProvider.start();
  return (await provider)?.use();
}

function start(workspace: Workspace): WarmEngine | undefined {
  const program = keepsOpen(workspace) ? findEngine(process.env) : undefined;
  return program === undefined ? undefined : new WarmEngine(program);
}
