import { mismatch } from "../../../foundation/schema/faults";
import type { Resolver } from "../../../foundation/schema/resolver";
import { resolveAccess } from "../../cluster/access/resolveAccess";
import type { GardenerConfig } from "../settings";
import type { GardenerInput } from "./gardenerSchema";

/** Returns undefined and adds faults if the kubeconfig is invalid. */
export function resolveGardener(resolver: Resolver, name: string, { spec }: GardenerInput): GardenerConfig | undefined {
  const { kubeconfig, context, ...settings } = spec;
  const access = resolveAccess(resolver, ["provisioners", name, "spec"], kubeconfig, context);
  // Otherwise the client secret would be readable in the stack config.
  if (spec.director !== undefined && !resolver.place.secretKeys.has("provisioners")) {
    const at = ["provisioners", name, "spec", "director", "clientSecret"];
    resolver.faults.push(mismatch(at, "a plain text", "a secret (pulumi config set --secret --path …)"));
  }
  return access && { access, settings: { ...settings, namespace: `garden-${spec.project}` } };
}
