import { POOL_LABEL } from "../../cluster/nodePool/plan";
import { namespaceConfig } from "../../namespaces/settings";
import type { OfferedRay, OfferedRole } from "../../contract/decoding";
import type { Address } from "../logins/login";
import { loginOf } from "../logins/registry";
import type { JupyterHubInput, JupyterHubSettings, NotebookSize, Placement, Profile, Toleration } from "../settings";

/** The properties of a node pool that affect pods. */
interface Pool {
  readonly taints: readonly { readonly key: string; readonly value?: string; readonly effect: Toleration["effect"] }[];
}

/** Places pods in a node pool and tolerates its taints. Adds the placement `own`. */
function placeInPool(name: string, pool: Pool, own: Placement): Placement {
  const tolerations = pool.taints.map(({ key, value, effect }): Toleration =>
    value === undefined || value === ""
      ? { key, operator: "Exists", effect }
      : { key, operator: "Equal", value, effect },
  );
  return {
    nodeSelector: { [POOL_LABEL]: name, ...own.nodeSelector },
    tolerations: [...tolerations, ...own.tolerations],
  };
}

/** Parts of the config that JupyterHub refers to. */
export interface ReferencedConfig {
  /** Node pools by name; undefined if the platform does not know the cluster's pools. */
  readonly nodePools?: Readonly<Record<string, Pool>>;
  readonly dataAccess: Readonly<Record<string, OfferedRole>>;
  /** Enabled Ray clusters by name. Default: none. */
  readonly rayClusters?: Readonly<Record<string, OfferedRay>>;
  /** Whether service accounts get their role by an annotation (IRSA) instead of an association (Pod Identity). */
  readonly annotates: boolean;
}

/** Converts checked input to complete settings. */
export function resolveJupyterHub(
  input: JupyterHubInput,
  references: ReferencedConfig,
  valuesAreSecret: boolean,
): JupyterHubSettings {
  const { auth, tls, culling, podSecurity, quota, limits, ...rest } = input;
  return {
    ...rest,
    protection: namespaceConfig({ podSecurity, quota, limits }),
    https: { ...tls, type: tls.type ?? "off" },
    service: {
      ...input.service,
      type: input.service.type ?? (input.host === undefined ? "ClusterIP" : "LoadBalancer"),
    },
    login: loginOf(auth).settings(auth, addressOf(input)),
    size: sizeOf(input),
    placement: placementOf(input, references),
    profiles: profilesOf(input, references),
    notebookLimits: { ...input.notebookLimits, perGroup: byKnownGroup(input) },
    ...(culling.enabled ? { culling } : {}),
    serviceAccountExists: isServiceAccountCreated(input, references),
    ...(input.dataAccess === undefined || !references.annotates ? {} : { roleEntry: input.dataAccess }),
    chartImages: {},
    keepVolumes: input.userVolumes === "keep",
    valuesAreSecret: valuesAreSecret && Object.keys(input.values).length > 0,
  };
}

/** What a login depends on, besides its own keys. */
export const addressOf = (input: JupyterHubInput): Address => ({
  host: input.host,
  scheme: schemeOf(input),
  groupsElsewhere:
    Object.keys(input.notebookLimits.perGroup).length > 0 ||
    Object.values(input.profiles).some(({ allowedGroups }) => allowedGroups.length > 0),
});

const schemeOf = ({ tls }: Pick<JupyterHubInput, "tls">): "http" | "https" =>
  tls.type === undefined || tls.type === "off" ? "http" : "https";

const sizeOf = ({ cpu, cpuLimit, memoryGb, memoryLimitGb, gpus }: NotebookSize): NotebookSize => ({
  cpu,
  cpuLimit,
  memoryGb,
  memoryLimitGb,
  gpus,
});

/** Whether a `dataAccess` entry creates the notebooks' service account. */
function isServiceAccountCreated(
  { dataAccess, namespace, serviceAccount }: JupyterHubInput,
  references: ReferencedConfig,
): boolean {
  const entry = dataAccess === undefined ? undefined : references.dataAccess[dataAccess];
  return entry?.accounts === "make" && entry.serviceAccounts[namespace]?.includes(serviceAccount) === true;
}

type Placed = Placement & { readonly nodePool?: string };

function placementOf({ nodePool, nodeSelector, tolerations }: Placed, { nodePools }: ReferencedConfig): Placement {
  const pool = nodePool === undefined ? undefined : nodePools?.[nodePool];
  const own = { nodeSelector, tolerations };
  return nodePool === undefined || pool === undefined ? own : placeInPool(nodePool, pool, own);
}

/** Limits by the name of the group in the hub. */
const byKnownGroup = ({ auth, notebookLimits: { perGroup } }: JupyterHubInput) =>
  Object.fromEntries(Object.entries(perGroup).map(([group, limits]) => [knownGroup(auth, group), limits]));

function knownGroup(auth: JupyterHubInput["auth"], group: string): string {
  return loginOf(auth).groupName?.(group) ?? group;
}

/** The first profile is the default if none is marked as such. */
function profilesOf({ profiles, auth }: JupyterHubInput, references: ReferencedConfig): Record<string, Profile> {
  const entries = Object.entries(profiles);
  const chosen = entries.find(([, profile]) => profile.default) ?? entries[0];
  return Object.fromEntries(
    entries.map(([slug, profile]) => [
      slug,
      {
        ...sizeOf(profile),
        displayName: profile.displayName,
        description: profile.description,
        image: profile.image,
        isDefault: slug === chosen?.[0],
        placement: placementOf(profile, references),
        environment: profile.environment,
        allowedGroups: profile.allowedGroups.map((name) => knownGroup(auth, name)),
      },
    ]),
  );
}
