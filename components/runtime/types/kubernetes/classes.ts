import { mismatch, type Path } from "../../../../foundation/schema/faults";
import type { DecodeContext } from "../../../contract/decoding";
import { INGRESS, type ClusterNeed } from "../../../contract/needs";
import type { ProvisionerConfig } from "../provisionerType";
import type { Template } from "../../template";
import type { KubernetesSettings } from "./spec";

/** The IngressClass of the built-in templates. */
export const BUILT_IN_CLASS = "nginx";

const INGRESSES = new Set(["http_ingress", "grpc_ingress"]);
/** A literal class. A class computed by a template is known only when a runtime is created. */
const CLASS = /^\s*(?:ingressClassName|kubernetes\.io\/ingress\.class):\s*["']?([a-z0-9][a-z0-9.-]*)["']?\s*$/gm;

/** The IngressClasses that a provisioner's runtimes use. */
function askedClasses({ templates }: { readonly templates: readonly Template[] }): string[] {
  if (templates.length === 0) return [BUILT_IN_CLASS];
  const texts = templates.flatMap(({ key, text }) => (INGRESSES.has(key) ? [text] : []));
  return [...new Set(texts.flatMap((text) => [...text.matchAll(CLASS)].map(([, name = ""]) => name)))];
}

/** What the runtimes of a provisioner need of their cluster. */
export function kubernetesNeeds(path: string, { access, createNamespace, settings }: ProvisionerConfig): ClusterNeed[] {
  const { namespace = "", templates = [] } = settings;
  const resources = ["configmaps", "services", "statefulsets.apps", INGRESS];
  const isElsewhere = createNamespace === true && access !== undefined;
  return [
    { path, access, type: "objects", namespace, resources },
    ...(isElsewhere ? [{ path, access, type: "objects", resources: ["namespaces"] } as const] : []),
    // Own templates may name a class.
    ...(templates.length === 0 ? [{ path, access, type: "storageClass" } as const] : []),
    ...askedClasses({ templates }).map((name) => ({ path, access, type: "ingressClass", name }) as const),
  ];
}

/**
 * Checks that the IngressClass of a provisioner on the platform's cluster is served. Otherwise it is a fault if the
 * config has `ingress`, and a warning on a cluster that the platform creates without it.
 */
export function checkClasses(
  { offers: { cluster, ingressClasses: served }, faults, warnings }: DecodeContext,
  base: Path,
  settings: KubernetesSettings,
): void {
  const open = askedClasses(settings).filter((one) => !served?.includes(one));
  if (served === undefined) {
    if (cluster.config?.type !== "eks") return;
    const texts = open.map(
      (one) =>
        `stackyard:provisioners.${base[1]}: Ingresses of the class ${one} are served by nothing that the platform installs, so its runtimes ` +
        `may never answer; set ingress.nginx or ingress.awsLoadBalancerController, or name the class in ingress.existing`,
    );
    warnings.push(...texts);
    return;
  }
  const known =
    served.length === 0 ? "none is served" : `${served.join(", ")} ${served.length === 1 ? "is" : "are"} served`;
  const expected = `a class that is served; ${known}`;
  const hint = "add its controller to ingress, or the class to ingress.existing";
  faults.push(...open.map((one) => mismatch(base, `runtimes with Ingresses of the class ${one}`, expected, hint)));
}
