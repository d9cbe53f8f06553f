import type { Client } from "../client/client";
import { at } from "../objects/objects";
import { isReady } from "./pod";

/** Why a program behind a Service does not answer, according to Kubernetes; undefined if a pod of it is ready. */
export async function whySilent(
  client: Client,
  { namespace, service: name }: { readonly namespace: string; readonly service: string },
  program: string,
): Promise<string | undefined> {
  const service = await client.get({ apiVersion: "v1", kind: "Service", namespace, name });
  if (!service) return `${program} is gone`;
  const selector = Object.entries((at(service, "spec", "selector") ?? {}) as Record<string, string>);
  if (selector.length === 0) return undefined;
  const label = selector.map(([key, value]) => `${key}=${value}`).join(",");
  const pods = await client.list({ apiVersion: "v1", kind: "Pod", namespace }, { label });
  return pods.some(isReady) ? undefined : `no pod of ${program} is ready`;
}
