import type { Context } from "../context";
import { deploymentId } from "../../engine/stack/names";
import { runtimeTarget } from "./target/choose";
import type { KubeconfigOptions, TargetOptions } from "./options";

/** Prints a short-lived kubeconfig for the cluster of a runtime, issued by Gardener. */
export async function kubeconfig(
  context: Context,
  id: string,
  options: KubeconfigOptions & TargetOptions,
): Promise<void> {
  const target = await runtimeTarget(context, options);
  const { kubeconfig: text, expires } = await target.kubeconfig(deploymentId(id), options);
  context.print(text.trimEnd());
  context.live.line(`valid until ${expires.toISOString()}, with the role ${options.role}`);
}
