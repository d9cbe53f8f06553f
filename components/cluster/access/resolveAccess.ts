import { mismatch, type Path } from "../../../foundation/schema/faults";
import { tryRead } from "../../../foundation/schema/files";
import { foundAt } from "../../../foundation/schema/issues";
import type { Resolver } from "../../../foundation/schema/resolver";
import { readKubeconfig, type ClusterAccess } from "./kubeconfig";
import type { KubeconfigInput } from "./kubeconfigSchema";

/**
 * Reads the kubeconfig. `base`: path of the object with the keys `kubeconfig` and `context`. Returns undefined and adds
 * faults if it is invalid.
 */
export function resolveAccess(
  { files, place, faults }: Resolver,
  base: Path,
  { path, content }: KubeconfigInput,
  context: string | undefined,
): ClusterAccess | undefined {
  if (path === undefined && content === undefined) {
    if (context === undefined) return { server: "in-cluster" };
    const at = [...base, "context"];
    faults.push(mismatch(at, foundAt(place, at), "no context, because inCluster has none"));
    return undefined;
  }
  const at = [...base, "kubeconfig", path === undefined ? "content" : "path"];
  let text = content ?? "";
  if (path !== undefined) {
    const read = tryRead(files, path);
    if ("trouble" in read) {
      faults.push(mismatch(at, `${foundAt(place, at)}, ${read.trouble}`, "a kubeconfig file"));
      return undefined;
    }
    text = read.bytes.toString("utf8");
  }
  const access = readKubeconfig({ text, path, context }, files);
  if (!("fault" in access)) return access;
  const { at: part, found, expected, hint } = access.fault;
  faults.push(mismatch(part === "context" ? [...base, "context"] : at, found, expected, hint));
  return undefined;
}

/** The settings of the platform's cluster that determine how others reach it. */
export type PlatformAccess =
  { readonly type: "existing"; readonly kubeconfig: KubeconfigInput } | { readonly type: "eks" } | undefined;

/**
 * Resolves access to a cluster of a provisioner's own; empty for the platform's. Returns undefined and adds faults if
 * it is invalid.
 */
export function resolveClusterAccess(
  resolver: Resolver,
  base: Path,
  { kubeconfig, context }: { readonly kubeconfig?: KubeconfigInput | undefined; readonly context?: string | undefined },
  cluster: PlatformAccess,
): { readonly access?: ClusterAccess } | undefined {
  // A context without a kubeconfig selects another context of the platform's kubeconfig.
  const source = kubeconfig ?? (context === undefined || cluster?.type !== "existing" ? undefined : cluster.kubeconfig);
  if (kubeconfig === undefined && context !== undefined && cluster?.type === "eks") {
    const at = [...base, "context"];
    resolver.faults.push(mismatch(at, foundAt(resolver.place, at), "no context, because a cluster on EKS has but one"));
  }
  if (source === undefined) return {};
  const access = resolveAccess(resolver, base, source, context);
  return access && { access };
}
