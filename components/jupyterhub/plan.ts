import { dump } from "js-yaml";
import { compact, mergeValues, type Values } from "../../foundation/json/merge";
import { accountAnnotations } from "../cluster/serviceAccountRole/plan";
import { splitImage } from "../../foundation/registry/image";
import { limitsScript } from "./limitsScript";
import { profileScript } from "./profileScript";
import { rayEnvironment, type RayAccess } from "./rayAccess";
import type { JupyterHubSettings, NotebookSize, Profile, Toleration } from "./settings";

/** The chart's default tolerations of notebooks. A profile's own tolerations would replace them. */
const USER_TOLERATIONS: readonly Toleration[] = ["hub.jupyter.org/dedicated", "hub.jupyter.org_dedicated"].map(
  (key) => ({ key, operator: "Equal", value: "user", effect: "NoSchedule" }),
);

/** Settings repeated in all profiles, because KubeSpawner replaces instead of merging. */
interface Common {
  readonly environment: Readonly<Record<string, string>>;
  readonly tolerations: readonly Toleration[];
}

/** Values under `singleuser` for a size. */
function sizeOf({ cpu, cpuLimit, memoryGb, memoryLimitGb, gpus }: NotebookSize): Values {
  return compact({
    cpu: compact({ guarantee: cpu, limit: cpuLimit }),
    memory: compact({ guarantee: gigabytes(memoryGb), limit: gigabytes(memoryLimitGb) }),
    extraResource: gpus === undefined ? undefined : { limits: gpuLimits(gpus) },
  });
}

/** The options of the page that starts a notebook, in the order of the config. */
function profileList(profiles: Readonly<Record<string, Profile>>, common: Common): Values[] {
  return Object.entries(profiles).map(([slug, profile]) =>
    compact({
      slug,
      display_name: profile.displayName,
      description: profile.description,
      default: profile.isDefault || undefined,
      kubespawner_override: override(profile, common),
    }),
  );
}

function override(profile: Profile, common: Common): Values {
  const { nodeSelector, tolerations } = profile.placement;
  const own = Object.keys(profile.environment).length > 0;
  return compact({
    image: profile.image,
    cpu_guarantee: profile.cpu,
    cpu_limit: profile.cpuLimit,
    mem_guarantee: gigabytes(profile.memoryGb),
    mem_limit: gigabytes(profile.memoryLimitGb),
    extra_resource_limits: profile.gpus === undefined ? undefined : gpuLimits(profile.gpus),
    node_selector: Object.keys(nodeSelector).length > 0 ? nodeSelector : undefined,
    tolerations: tolerations.length > 0 ? [...common.tolerations, ...tolerations] : undefined,
    environment: own ? { ...common.environment, ...profile.environment } : undefined,
  });
}

/** `G` means 2^30 bytes in KubeSpawner. */
const gigabytes = (value: number | undefined): string | undefined => (value === undefined ? undefined : `${value}G`);

const gpuLimits = (gpus: number): Values => ({ "nvidia.com/gpu": String(gpus) });

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
  const { storage } = settings;
  return {
    config: hubConfig(settings),
    ...extraConfig(settings),
    ...namedNotebooks(settings),
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

/** JupyterHub counts named ones also while they are stopped. */
function namedNotebooks({ notebookLimits: { perUser } }: JupyterHubSettings): Values {
  const { notebooks = 1 } = perUser;
  return notebooks > 1 ? { allowNamedServers: true, namedServerLimitPerUser: notebooks } : {};
}

function extraConfig(settings: JupyterHubSettings): Values {
  const { login, profiles } = settings;
  const scripts = { ...login.extraConfig, ...profileScript(profiles), ...limitsScript(settings) };
  return Object.keys(scripts).length === 0 ? {} : { extraConfig: scripts };
}

/** JupyterHub's configuration: traits by class. Without secrets. */
const hubConfig = ({
  login: { authenticator, hub, config },
  startTimeoutSeconds,
}: JupyterHubSettings): Record<string, Values> => ({
  JupyterHub: { authenticator_class: authenticator, ...hub },
  ...config,
  KubeSpawner: {
    // Roles for data use separate tokens.
    automount_service_account_token: false,
    // JupyterHub deletes a pod that runs and does not answer for 30 seconds, unless this says otherwise.
    http_timeout: startTimeoutSeconds,
  },
});

/**
 * Content of the Secret, with everything that must not be in Helm values. The hub merges `values.yaml` over the chart's
 * values.
 */
export function planSecret({ login }: JupyterHubSettings, tokens: Tokens): Record<string, string> {
  return {
    "values.yaml": dump({ hub: { config: login.secretConfig } }),
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
