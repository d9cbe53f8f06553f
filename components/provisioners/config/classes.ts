/** Checks whether the IngressClasses that runtimes use are served. Pure. */

import { mismatch, type Fault } from "../../../foundation/schema/faults";
import type { KubernetesConfig } from "../settings";

/** The IngressClass of the built-in templates. */
export const BUILT_IN_CLASS = "nginx";

const INGRESSES = new Set(["http_ingress", "grpc_ingress"]);
/** A literal class. A class computed by a template is known only when a runtime is created. */
const CLASS = /^\s*(?:ingressClassName|kubernetes\.io\/ingress\.class):\s*["']?([a-z0-9][a-z0-9.-]*)["']?\s*$/gm;

/** The IngressClasses that a provisioner's runtimes use. */
function askedClasses({ settings: { templates } }: Pick<KubernetesConfig, "settings">): string[] {
  if (templates.length === 0) return [BUILT_IN_CLASS];
  const texts = templates.flatMap(({ key, text }) => (INGRESSES.has(key) ? [text] : []));
  return [...new Set(texts.flatMap((text) => [...text.matchAll(CLASS)].map(([, name = ""]) => name)))];
}

/**
 * Provisioners on the platform's cluster whose IngressClass is not served. They are faults if the config has `ingress`,
 * and warnings on a cluster that the platform creates without it.
 */
export function classFaults(
  provisioners: Readonly<Record<string, KubernetesConfig>>,
  served: readonly string[] | undefined,
  isCreated: boolean,
): { readonly faults: Fault[]; readonly warnings: string[] } {
  const open = Object.entries(provisioners).flatMap(([name, config]) =>
    config.access === undefined
      ? askedClasses(config)
          .filter((one) => !served?.includes(one))
          .map((one) => ({ name, one }))
      : [],
  );
  if (served === undefined) {
    const warnings = open.map(
      ({ name, one }) =>
        `stackyard:provisioners.${name}: Ingresses of the class ${one} are served by nothing that the platform installs, so its runtimes ` +
        `may never answer; set ingress.nginx or ingress.awsLoadBalancerController, or name the class in ingress.existing`,
    );
    return { faults: [], warnings: isCreated ? warnings : [] };
  }
  const known =
    served.length === 0 ? "none is served" : `${served.join(", ")} ${served.length === 1 ? "is" : "are"} served`;
  const faults = open.map(({ name, one }) =>
    mismatch(
      ["provisioners", name, "spec"],
      `runtimes with Ingresses of the class ${one}`,
      `a class that is served; ${known}`,
      "add its controller to ingress, or the class to ingress.existing",
    ),
  );
  return { faults, warnings: [] };
}
