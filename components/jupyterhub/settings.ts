import * as z from "zod";
import { checkPinnedImage, TAGGED } from "../charts/config/pinnedImage";
import { CHARTS } from "../charts/table";
import {
  checkedText,
  count,
  flag,
  hostname,
  matching,
  NAMESPACE,
  oneOf,
  positive,
  strict,
  stringMap,
  list,
} from "../../foundation/schema/fields";
import { helmValues, readySeconds } from "../charts/config/helm";
import { guardFields } from "../namespaces/config/schema";
import type { NamespaceConfig } from "../namespaces/settings";
import type { LoginSettings } from "./logins/login";
import { labels, toleration } from "../charts/config/podFields";
import { parseCidr } from "../../foundation/net/cidr";
import { groupNames } from "./logins/access";
import { authSchema } from "./logins/registry";

const IMAGE = "an image with a fixed tag or digest, such as quay.io/jupyter/scipy-notebook:2026-10-01";

const image = () => checkedText(IMAGE, checkPinnedImage, TAGGED);
const environment = () =>
  z.record(matching(/^[A-Za-z_][A-Za-z0-9_]*$/, "a legal name: A-Z a-z 0-9 _"), z.string({ error: "a text" }), {
    error: "an object of texts by name",
  });
const name = () => matching(NAMESPACE, "a legal name: a-z, 0-9 and inner -, 63 characters at most");

const CPUS = "a number of CPUs above 0";
const GB = "a number of GB above 0";
const size = {
  cpu: positive(CPUS, 1000).optional().describe("CPU request, in CPUs."),
  cpuLimit: positive(CPUS, 1000).optional().describe("CPU limit, in CPUs. Default: no limit."),
  memoryGb: positive(GB, 100_000).optional().describe("Memory request, in GiB. Default: 1."),
  memoryLimitGb: positive(GB, 100_000).optional().describe("Memory limit, in GiB. Default: no limit."),
  gpus: count("a whole number of GPUs from 1", 64).optional().describe("Number of NVIDIA GPUs. Default: none."),
};
const placement = {
  nodePool: name().optional().describe("Node pool that it runs in. Default: any nodes without taints."),
  nodeSelector: labels().default({}).describe("Labels that a node must have to run it."),
  tolerations: list(toleration, "tolerations").describe("Tolerations: taints of nodes that it may run on."),
};

const profile = strict("an object with displayName", {
  displayName: matching(/\S/, "a text").describe("Title of the profile."),
  description: matching(/\S/, "a text").optional().describe("Description of the profile."),
  default: flag().default(false).describe("`true`: the preselected profile. Default: the first profile."),
  image: image().optional().describe("Image with its tag. Default: the image of all notebooks."),
  ...size,
  ...placement,
  environment: environment().default({}).describe("Environment variables in addition to those of all notebooks."),
  allowedGroups: groupNames().describe("Groups whose members may use it. Default: everybody may."),
});

const limits = strict("an object with notebooks, cpu, memoryGb, gpus", {
  notebooks: count("a whole number of notebooks from 1", 10_000).optional().describe("Number of running notebooks."),
  cpu: positive(CPUS, 1_000_000).optional().describe("CPU requests, in CPUs."),
  memoryGb: positive(GB, 100_000_000).optional().describe("Memory requests, in GiB."),
  gpus: count("a whole number of GPUs from 0", 10_000, 0).optional().describe("Number of GPUs."),
});

const notebookLimits = strict("an object with perUser, perGroup", {
  perUser: limits
    .prefault({})
    .describe(
      "Limits of all running notebooks of a user. With more than 1 of `notebooks`, users may have named ones. Default: one notebook of any profile.",
    ),
  perGroup: z
    .record(matching(/^\S(.*\S)?$/, "a group"), limits, {
      error: "an object of limits by group",
    })
    .default({})
    .describe("Limits of all running notebooks of the members of a group, by group. Default: no limit."),
});

const tls = strict("an object with type", {
  type: oneOf(["letsencrypt", "secret", "offload", "off"])
    .optional()
    .describe(
      "`letsencrypt` (the host must be reachable from the internet), `secret` (an existing TLS secret), `offload` (a load balancer terminates TLS) or `off`. Default: `off` without a host; with a host it is required.",
    ),
  email: matching(/^\S+@\S+$/, "an e-mail address")
    .optional()
    .describe("Email address for messages from Let's Encrypt."),
  secretName: name().optional().describe("Name of the TLS secret, for type `secret`."),
});

const storage = strict("an object", {
  type: oneOf(["dynamic", "static", "none"])
    .default("dynamic")
    .describe(
      "`dynamic`: a disk for each user; `static`: a folder for each user in one PersistentVolumeClaim; `none`: no storage.",
    ),
  sizeGb: count("a whole number of GiB from 1").default(10).describe("Size of a user's disk in GiB."),
  storageClass: matching(/^[a-z0-9.-]+$/, "the name of a storage class")
    .optional()
    .describe("Storage class of the users' disks and of the hub's disk. Default: the cluster's default storage class."),
  claim: name().optional().describe("Name of the PersistentVolumeClaim, for type `static`."),
  homeFolder: matching(/^\/\S*$/, "an absolute path")
    .default("/home/jovyan")
    .describe("Mount path of the user's files."),
});

const culling = strict("an object", {
  enabled: flag().default(true).describe("`false`: idle notebooks keep running."),
  idleMinutes: count("a whole number of minutes from 1")
    .default(60)
    .describe("Minutes without activity after which a notebook is stopped."),
  everyMinutes: count("a whole number of minutes from 1").default(10).describe("Minutes between two checks."),
  maxAgeHours: z
    .int({ error: "a whole number of hours from 0" })
    .min(0, { error: "a whole number of hours from 0" })
    .default(0)
    .describe("Age in hours at which even active notebooks are stopped. 0: never."),
});

/** Schema of the key `jupyterhub`. */
export const jupyterhubSchema = strict("an object", {
  enabled: flag().default(true).describe("`false` disables it. The preview lists what is deleted with it."),
  optional: flag().default(false).describe("`true`: skip it if the upstream chart can't be fetched."),
  namespace: name()
    .default("jupyterhub")
    .describe("Namespace of JupyterHub. The platform creates it, and only JupyterHub may use it."),
  releaseName: matching(
    /^[a-z]([a-z0-9-]{0,38}[a-z0-9])?$/,
    "a legal name: a-z, 0-9 and inner -, 40 characters at most",
  )
    .default("jupyterhub")
    .describe(
      "Name of its Helm release. Platforms on the same cluster need different names. It can't be changed later.",
    ),
  ...guardFields,
  host: hostname("a host name such as hub.example.com")
    .optional()
    .describe("Public host name. Default: none; users connect with `kubectl port-forward`."),
  tls: tls.prefault({}).describe("How the proxy serves HTTPS."),
  service: strict("an object", {
    type: oneOf(["LoadBalancer", "ClusterIP", "NodePort"])
      .optional()
      .describe("Type of the public service. Default: LoadBalancer with a host, else ClusterIP."),
    annotations: stringMap("annotations")
      .default({})
      .describe("Annotations, such as those of a load balancer controller."),
  })
    .prefault({})
    .describe("The public Service."),
  auth: authSchema.describe("Authentication and authorization."),
  image: image().default(CHARTS.jupyterhub.images.notebook).describe("Notebook image with its tag."),
  ...size,
  ...placement,
  profiles: z
    .record(name(), profile, { error: "an object of profiles by name" })
    .default({})
    .describe(
      "Profiles that users choose from when they start a notebook, by name. Default: none; all notebooks have the same settings.",
    ),
  notebookLimits: notebookLimits.prefault({}).describe("What users and groups may run at the same time."),
  storage: storage.prefault({}).describe("Storage of the users' files."),
  culling: culling.prefault({}).describe("When to stop idle notebooks."),
  prePull: strict("an object", {
    onUpgrade: flag()
      .default(false)
      .describe("`true`: an upgrade first pulls new images on all nodes and waits for that."),
    always: flag()
      .default(false)
      .describe(
        "`true`: new nodes pull the images immediately. Both options run a pod on every node, which prevents scaling to zero.",
      ),
  })
    .prefault({})
    .describe("Pulling notebook images in advance."),
  metadataBlock: oneOf(["iptables", "networkPolicy", "nothing"])
    .default("iptables")
    .describe(
      "How access of notebooks to the cloud's metadata server is blocked: `iptables` (works everywhere, but uses a privileged init container), `networkPolicy` (requires a network plugin that enforces it) or `nothing` (not blocked).",
    ),
  serviceAccount: name().default("kubespawner").describe("Name of the service account of notebooks."),
  dataAccess: matching(/\S/, "the name of an entry of dataAccess")
    .optional()
    .describe("Entry of `dataAccess` whose role notebooks assume. It also sets their service account. Default: none."),
  environment: environment().default({}).describe("Environment variables of all notebooks."),
  egress: list(
    checkedText("a CIDR such as 10.0.0.0/16", (range) => (parseCidr(range) ? undefined : ""), /^[0-9.]+\/[0-9]+$/),
    "CIDRs",
  ).describe("Private CIDR ranges that notebooks may reach on port 443, such as interface endpoints of S3 and STS."),
  ray: flag()
    .default(true)
    .describe("`true`: configure notebooks to connect to the platform's Ray cluster, if it has one."),
  rayCluster: matching(/^[a-z]([a-z0-9-]{0,47}[a-z0-9])?$/, "the name of a Ray cluster")
    .optional()
    .describe(
      "Name of the Ray cluster that notebooks connect to. Default: the first by name, with a warning if there are several.",
    ),
  userVolumes: oneOf(["keep", "delete"])
    .default("keep")
    .describe(
      "Whether the users' disks and the hub's database are kept or deleted when JupyterHub is disabled or destroyed.",
    ),
  startTimeoutSeconds: count("a whole number of seconds from 1 to 3600", 3600)
    .default(300)
    .describe("Seconds until a notebook must be ready. Set a higher value if it needs new nodes."),
  timeoutSeconds: readySeconds("the hub", 600),
  values: helmValues(),
}).describe("JupyterHub.");

export type JupyterHubInput = z.output<typeof jupyterhubSchema>;

/** Node selector and tolerations of pods. */
export type Placement = Pick<JupyterHubInput, "nodeSelector" | "tolerations">;
export type Toleration = Placement["tolerations"][number];
/** Size of a notebook. Fields that are not set have the chart's defaults. */
export type NotebookSize = Pick<JupyterHubInput, keyof typeof size>;
type ProfileInput = JupyterHubInput["profiles"][string];

/** An option of the page that starts a notebook. */
export interface Profile extends Omit<ProfileInput, "default" | keyof typeof placement> {
  readonly isDefault: boolean;
  readonly placement: Placement;
}

type Changed = "auth" | "culling" | "profiles" | "service" | "tls" | keyof typeof size | keyof typeof guardFields;

/** Decoded config of JupyterHub, with all defaults. */
export interface JupyterHubSettings extends Omit<JupyterHubInput, Changed> {
  /** Policies of its namespace, as far as the config sets them. The chart includes NetworkPolicies. */
  readonly protection: NamespaceConfig;
  readonly https: Required<Pick<JupyterHubInput["tls"], "type">> & JupyterHubInput["tls"];
  readonly service: Required<JupyterHubInput["service"]>;
  readonly login: LoginSettings;
  readonly size: NotebookSize;
  readonly placement: Placement;
  readonly profiles: Readonly<Record<string, Profile>>;
  /** Not set: idle notebooks keep running. */
  readonly culling?: JupyterHubInput["culling"];
  /** Whether the notebooks' service account is created elsewhere. */
  readonly serviceAccountExists: boolean;
  /** `dataAccess` entry whose role that service account is annotated with. */
  readonly roleEntry?: string;
  /** Values that select the chart's images on a mirror. Empty: the chart's defaults. */
  readonly chartImages: Readonly<Record<string, unknown>>;
  /** Whether the users' disks and the hub's database are kept when the component is removed. */
  readonly keepVolumes: boolean;
  /** Whether the user's values of the upstream chart may contain secrets. */
  readonly valuesAreSecret: boolean;
}
