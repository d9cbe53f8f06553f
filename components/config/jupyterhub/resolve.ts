import type { JupyterHubSettings, NotebookSize, Placement, Profile } from "../../jupyterhub/settings";
import type { JupyterHubInput } from "./schema";

/** Complete settings out of checked input. */
export function resolveJupyterHub(input: JupyterHubInput, valuesAreSecret: boolean): JupyterHubSettings {
  const { auth, culling } = input;
  return {
    namespace: input.namespace,
    ...(input.host === undefined ? {} : { host: input.host }),
    https: { ...input.tls, type: input.tls.type ?? "off" },
    service: {
      ...input.service,
      type: input.service.type ?? (input.host === undefined ? "ClusterIP" : "LoadBalancer"),
    },
    ...(auth.type === "auth0" ? { auth0: auth0Of(input, auth) } : {}),
    allowedUsers: auth.type === "auth0" ? auth.allowedUsers : [],
    adminUsers: auth.adminUsers,
    allowAll: auth.type === "dummy" || auth.allowAll,
    image: input.image,
    size: sizeOf(input),
    placement: placementOf(input),
    profiles: profilesOf(input),
    storage: input.storage,
    ...(culling.enabled ? { culling } : {}),
    prePull: input.prePull,
    metadataBlock: input.metadataBlock,
    serviceAccount: input.serviceAccount,
    environment: input.environment,
    egress: input.egress,
    ray: input.ray,
    keepVolumes: input.userVolumes === "keep",
    startTimeoutSeconds: input.startTimeoutSeconds,
    timeoutSeconds: input.timeoutSeconds,
    values: input.values,
    valuesAreSecret: valuesAreSecret && Object.keys(input.values).length > 0,
  };
}

type Auth0Input = Extract<JupyterHubInput["auth"], { type: "auth0" }>;

function auth0Of(input: JupyterHubInput, auth: Auth0Input): NonNullable<JupyterHubSettings["auth0"]> {
  const groups = auth.allowedGroups.length > 0 || auth.adminGroups.length > 0;
  return {
    domain: auth.domain,
    clientId: auth.clientId,
    clientSecret: auth.clientSecret,
    callback: auth.callback ?? `${schemeOf(input)}://${input.host ?? ""}/hub/oauth_callback`,
    scopes: auth.scopes,
    ...(groups ? { groupsClaim: auth.groupsClaim } : {}),
    allowedGroups: auth.allowedGroups,
    adminGroups: auth.adminGroups,
  };
}

export const schemeOf = ({ tls }: Pick<JupyterHubInput, "tls">): string =>
  tls.type === undefined || tls.type === "off" ? "http" : "https";

const sizeOf = ({ cpu, cpuLimit, memoryGb, memoryLimitGb, gpus }: NotebookSize): NotebookSize => ({
  cpu,
  cpuLimit,
  memoryGb,
  memoryLimitGb,
  gpus,
});

const placementOf = ({ nodeSelector, tolerations }: Placement): Placement => ({ nodeSelector, tolerations });

/** Where no profile is the default one, the first is. */
function profilesOf({ profiles }: JupyterHubInput): Record<string, Profile> {
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
        placement: placementOf(profile),
        environment: profile.environment,
      },
    ]),
  );
}
