import type { PoolHost } from "../../resources/staticPool";
import { namespaceConfig } from "../../namespaces/settings";
import type { Pieces } from "./crossChecks";
import { mismatch, type Path } from "../../../foundation/schema/faults";
import { tryRead } from "../../../foundation/schema/files";
import { foundAt } from "../../../foundation/schema/issues";
import { readKubeconfig, type ClusterAccess } from "../../provisioners/config/kubeconfig";
import { eksFaults } from "../../cluster/eks/config/checks";
import { readUserData } from "../../cluster/eks/config/userData";
import { readEksLock } from "../../cluster/eks/config/lock";
import { readTemplates } from "../../provisioners/config/readTemplates";
import type { Resolver } from "../../../foundation/schema/resolver";
import { usedPools } from "../../cluster/eks/config/usedPools";
import { resolveEks } from "../../cluster/eks/config/resolve";
import type { ClusterConfig, KubernetesConfig } from "./platformConfig";
import type { ClusterInput, KubeconfigInput, KubernetesInput, StaticInput } from "./schema";
import { isPostgresUrl } from "../../../foundation/schema/urls";

/** File in which the local yard stores the URL of its ledger. */
export const YARD_LEDGER = ".yard/ledger-url";

/** Returns undefined and adds faults if the access to the cluster is invalid. */
export function resolveCluster(resolver: Resolver, input: ClusterInput): ClusterConfig | undefined {
  if (input.type === "eks") {
    const faults = eksFaults(input, ["cluster"], usedPools(resolver.place.root));
    resolver.faults.push(...faults);
    return faults.length > 0
      ? undefined
      : { type: "eks", eks: resolveEks(input, readEksLock(resolver, input), readUserData(resolver, input)) };
  }
  const access = resolveAccess(resolver, ["cluster"], input.kubeconfig, input.context);
  return access && { type: "existing", access, ...(input.eks && { eks: input.eks }) };
}

/** `base`: path of the object with the keys `kubeconfig` and `context`. */
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

export function resolvePool(input: StaticInput): PoolHost[] {
  return input.spec.runtimes.map((host) => ({ ...host, audienceUrl: host.audienceUrl ?? host.host }));
}

/**
 * Resolves access to a cluster of a provisioner's own; empty for the platform's. Returns undefined and adds faults if
 * it is invalid.
 */
export function resolveClusterAccess(
  resolver: Resolver,
  base: Path,
  { kubeconfig, context }: Pick<KubernetesInput["spec"], "kubeconfig" | "context">,
  cluster: ClusterInput | undefined,
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

/** Returns undefined and adds faults if the access to the cluster is invalid. */
export function resolveKubernetes(
  resolver: Resolver,
  name: string,
  { spec }: KubernetesInput,
  cluster: ClusterInput | undefined,
): KubernetesConfig | undefined {
  const base: Path = ["provisioners", name, "spec"];
  const way = resolveClusterAccess(resolver, base, spec, cluster);
  const templates = readTemplates(resolver, [...base, "templates"], spec.templates ?? { helpers: [] });
  if (way === undefined) return undefined;
  return {
    ...way,
    createNamespace: spec.createNamespace,
    namespace: namespaceConfig(spec),
    settings: {
      namespace: spec.namespace,
      host: spec.host,
      image: spec.image,
      timeoutSeconds: spec.timeoutSeconds,
      dataDir: spec.dataDir,
      ...(spec.audienceUrl === undefined ? {} : { audienceUrl: spec.audienceUrl }),
      ping: spec.ping,
      ...templates,
      ...(spec.claimsWhenDeleted === undefined ? {} : { claimsWhenDeleted: spec.claimsWhenDeleted }),
    },
  };
}

/** The configured URL, or else that of the local yard; undefined if no provisioner is static. */
export function resolveLedger({ files, place, faults }: Resolver, pieces: Pieces): string | undefined {
  const path = ["ledger"];
  if (pieces.ledger !== undefined) {
    if (new URL(pieces.ledger).password !== "" && !place.secretKeys.has("ledger")) {
      const hint = "set it with: pulumi config set --secret ledger";
      faults.push(mismatch(path, "a plain text", "a secret, because it has a password", hint));
    }
  }
  const users = Object.entries(pieces.provisioners).flatMap(([name, { type }]) => (type === "static" ? [name] : []));
  if (users.length === 0) return undefined;
  if (pieces.ledger !== undefined || place.root["ledger"] !== undefined) return pieces.ledger;
  const read = tryRead(files, YARD_LEDGER);
  const url = "bytes" in read ? read.bytes.toString("utf8").trim() : undefined;
  if (url !== undefined && isPostgresUrl(url)) return url;
  const file = url === undefined ? `no file ${YARD_LEDGER}` : `no PostgreSQL URL in ${YARD_LEDGER}`;
  const expected = `a PostgreSQL URL, because of the static provisioner ${users.join(", ")}`;
  const hint = "start the local yard (make up) or set it with: pulumi config set --secret ledger";
  faults.push(mismatch(path, `nothing, and ${file}`, expected, hint));
  return undefined;
}
