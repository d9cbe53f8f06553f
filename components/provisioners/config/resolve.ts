import type { PoolHost } from "../../resources/staticPool";
import { namespaceConfig } from "../../namespaces/settings";
import type { Pieces } from "./crossChecks";
import { mismatch, type Path } from "../../../foundation/schema/faults";
import { tryRead } from "../../../foundation/schema/files";
import type { Resolver } from "../../../foundation/schema/resolver";
import { resolveAccess, resolveClusterAccess, type PlatformAccess } from "../../cluster/access/resolveAccess";
import { readTemplates } from "../../runtime/templates/readTemplates";
import type { GardenerConfig, KubernetesConfig } from "../settings";
import type { GardenerInput } from "./gardenerSchema";
import type { KubernetesInput, StaticInput } from "./schema";
import { isPostgresUrl } from "../../../foundation/schema/urls";

/** File in which the local yard stores the URL of its ledger. */
const YARD_LEDGER = ".yard/ledger-url";

export function resolvePool(input: StaticInput): PoolHost[] {
  return input.spec.runtimes.map((host) => ({ ...host, audienceUrl: host.audienceUrl ?? host.host }));
}

/** Returns undefined and adds faults if the access to the cluster is invalid. */
export function resolveKubernetes(
  resolver: Resolver,
  name: string,
  { spec }: KubernetesInput,
  cluster: PlatformAccess,
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
