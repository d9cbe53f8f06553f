import { dump } from "js-yaml";
import { compact, mergeValues, type Values } from "../../foundation/json/merge";
import { accountAnnotations } from "../cluster/serviceAccountRole/plan";
import { splitImage } from "../../foundation/registry/image";
import { GROUPS_SCRIPT, groupsScript } from "./groups";
import { profileList, sizeOf, USER_TOLERATIONS } from "./profiles";
import { rayEnvironment, type RayAccess } from "./rayAccess";
import type { JupyterHubSettings } from "./settings";

/** Secret that the hub reads in addition to the chart's own. */
export const HUB_SECRET = "jupyterhub-stackyard";

/** Values that are known only after other components are created. */
export interface ResolvedValues {
  /** ARN of the role for the notebooks' service account (IRSA). */
  readonly roleArn?: string;
  readonly ray?: RayAccess;
  /** Changes with the hub's Secret, so that the hub restarts. */
  readonly secretChecksum: string;
}

/** Random values that are generated once. */
export interface Tokens {
  /** 64 hex digits. A new value logs out all users. */
  readonly cookieSecret: string;
  /** 64 hex digits. A new value makes the stored authentication state unreadable. */
  readonly cryptKey: string;
}

/** Values of the wrapper chart, without the user's own. */
export function planValues(settings: JupyterHubSettings, resolved: ResolvedValues): Record<string, unknown> {
  const { roleArn } = resolved;
  const annotations = roleArn === undefined ? {} : accountAnnotations(roleArn);
  return compact({
    serviceAccount: { create: !settings.serviceAccountExists, name: settings.serviceAccount, annotations },
    jupyterhub: mergeValues(settings.chartImages, {
      hub: hubValues(settings, resolved),
      proxy: proxyValues(settings),
      singleuser: notebookValues(settings, resolved),
      prePuller: {
        hook: { enabled: settings.prePull.onUpgrade },
        continuous: { enabled: settings.prePull.always },
        extraTolerations: settings.placement.tolerations,
      },
      cull: cullValues(settings),
    }),
  });
}

function hubValues(settings: JupyterHubSettings, { secretChecksum }: ResolvedValues): Values {
  const { storage, auth0 } = settings;
  return {
    config: hubConfig(settings),
    ...(auth0?.groupsClaim !== undefined && { extraConfig: { [GROUPS_SCRIPT]: groupsScript(auth0.groupsClaim) } }),
    existingSecret: HUB_SECRET,
    annotations: { "stackyard.dev/secret": secretChecksum },
    db: {
      pvc: {
        // Set even if volumes are not kept: the database is then deleted with its namespace, which requires an
        // allowance, and never by an upgrade of the release.
        annotations: { "helm.sh/resource-policy": "keep" },
        ...(storage.storageClass !== undefined && { storageClassName: storage.storageClass }),
      },
    },
  };
}

/** JupyterHub's configuration: traits by class. Without the client secret. */
function hubConfig(settings: JupyterHubSettings): Record<string, Values> {
  // Roles for data use separate tokens.
  return { ...authConfig(settings), KubeSpawner: { automount_service_account_token: false } };
}

function authConfig(settings: JupyterHubSettings): Record<string, Values> {
  const { auth0 } = settings;
  const people = {
    allowed_users: settings.allowedUsers,
    admin_users: settings.adminUsers,
    ...(settings.allowAll && { allow_all: true }),
  };
  if (auth0 === undefined) return { JupyterHub: { authenticator_class: "dummy" }, DummyAuthenticator: people };
  const groups = auth0.groupsClaim && {
    manage_groups: true,
    allowed_groups: auth0.allowedGroups,
    admin_groups: auth0.adminGroups,
  };
  return {
    JupyterHub: { authenticator_class: "auth0" },
    Auth0OAuthenticator: {
      auth0_domain: auth0.domain,
      client_id: auth0.clientId,
      oauth_callback_url: auth0.callback,
      scope: auth0.scopes,
      username_claim: "email",
      ...people,
      ...groups,
    },
  };
}

/**
 * Content of the Secret, with everything that must not be in Helm values. The hub merges `values.yaml` over the chart's
 * values.
 */
export function planSecret({ auth0 }: JupyterHubSettings, tokens: Tokens): Record<string, string> {
  const config = auth0 && { Auth0OAuthenticator: { client_secret: auth0.clientSecret } };
  return {
    "values.yaml": dump({ hub: { config: config ?? {} } }),
    "hub.config.JupyterHub.cookie_secret": tokens.cookieSecret,
    "hub.config.CryptKeeper.keys": tokens.cryptKey,
  };
}

function proxyValues({ host, https, service }: JupyterHubSettings): Values {
  return {
    service,
    https: {
      enabled: https.type !== "off",
      type: https.type === "off" ? undefined : https.type,
      hosts: host === undefined ? [] : [host],
      letsencrypt: https.email === undefined ? undefined : { contactEmail: https.email },
      secret: https.secretName === undefined ? undefined : { name: https.secretName },
    },
  };
}

function notebookValues(settings: JupyterHubSettings, { ray }: ResolvedValues): Values {
  const { storage, placement, metadataBlock } = settings;
  const [image, tag] = splitImage(settings.image);
  const environment = { ...rayEnvironment(ray), ...settings.environment };
  return {
    image: { name: image, tag },
    serviceAccountName: settings.serviceAccount,
    defaultUrl: "/lab",
    startTimeout: settings.startTimeoutSeconds,
    extraEnv: environment,
    nodeSelector: placement.nodeSelector,
    extraTolerations: placement.tolerations,
    ...sizeOf(settings.size),
    profileList: profileList(settings.profiles, {
      environment,
      tolerations: [...USER_TOLERATIONS],
    }),
    storage: {
      type: storage.type,
      capacity: `${storage.sizeGb}Gi`,
      homeMountPath: storage.homeFolder,
      dynamic: storage.storageClass === undefined ? undefined : { storageClass: storage.storageClass },
      static: storage.claim === undefined ? undefined : { pvcName: storage.claim },
    },
    cloudMetadata: { blockWithIptables: metadataBlock === "iptables" },
    networkPolicy: {
      enabled: true,
      egress: egressRules(settings.egress, ray),
      egressAllowRules: { cloudMetadataServer: metadataBlock === "nothing" },
    },
  };
}

/** The chart allows notebooks only public addresses. These are the exceptions. */
function egressRules(cidrs: readonly string[], ray: RayAccess | undefined): Values[] {
  const tcp = (port: number) => ({ protocol: "TCP", port });
  const toRay = ray && {
    to: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": ray.namespace } } }],
    ports: [...new Set([portOf(ray.address), portOf(ray.dashboard), portOf(`http://${ray.gcs}`)])].map(tcp),
  };
  const toEndpoints = { to: cidrs.map((cidr) => ({ ipBlock: { cidr } })), ports: [tcp(443)] };
  return [...(toRay ? [toRay] : []), ...(cidrs.length > 0 ? [toEndpoints] : [])];
}

const portOf = (url: string): number => Number(new URL(url.replace(/^ray:/, "http:")).port || 80);

function cullValues({ culling }: JupyterHubSettings): Values {
  if (culling === undefined) return { enabled: false };
  const { idleMinutes, everyMinutes, maxAgeHours } = culling;
  return { enabled: true, timeout: idleMinutes * 60, every: everyMinutes * 60, maxAge: maxAgeHours * 3600 };
}
