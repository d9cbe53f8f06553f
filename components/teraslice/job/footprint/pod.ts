import { CONFIG_FILE } from "../../podConfig/configMaps";
import { PORTS } from "../../podConfig/names";
import { CONFIG_DIRECTORY, CONFIG_VOLUME, containerSecurity, podSecurity } from "../../podConfig/secretConfig";
import type { TerasliceSettings, MasterSettings } from "../../settings";
import { portsOf, type JobFields, type JobTarget } from "../fields";
import type { Role } from "./labels";
import { instanceLabel } from "./names";

/** CPUs and bytes of a container. Fields that are not set are omitted. */
interface Resources {
  readonly requests?: Quantities;
  readonly limits?: Quantities;
}

interface Quantities {
  readonly cpu?: number;
  readonly memory?: number;
}

/** Requests and limits of a container; undefined if nothing is set. */
function resources(role: Role, job: JobFields, teraslice: MasterSettings): Resources | undefined {
  const [cpu, memory] =
    role === "execution_controller"
      ? [
          both(job.cpu_execution_controller || teraslice.cpu_execution_controller),
          both(job.memory_execution_controller || teraslice.memory_execution_controller),
        ]
      : [
          // The new names of a job take precedence over the old ones and the cluster's.
          pair(job.resources_requests_cpu, job.resources_limits_cpu) ?? both(job.cpu || teraslice.cpu),
          pair(job.resources_requests_memory, job.resources_limits_memory) ?? both(job.memory || teraslice.memory),
        ];
  const requests = quantities(cpu?.request, memory?.request);
  const limits = quantities(cpu?.limit, memory?.limit);
  if (requests === undefined && limits === undefined) return undefined;
  return { ...(requests && { requests }), ...(limits && { limits }) };
}

/** Maximum heap of Node.js in MiB for a container with this limit: 90 %. */
export const heapMb = (bytes: number): number => Math.round((0.9 * bytes) / 2 ** 20);

interface Pair {
  readonly request: number | undefined;
  readonly limit: number | undefined;
}

/** Zero counts as not set. */
const pair = (request: number | undefined, limit: number | undefined): Pair | undefined =>
  request || limit ? { request: request || undefined, limit: limit || undefined } : undefined;

const both = (value: number | undefined): Pair | undefined => pair(value, value);

const quantities = (cpu: number | undefined, memory: number | undefined): Quantities | undefined =>
  cpu === undefined && memory === undefined
    ? undefined
    : { ...(cpu !== undefined && { cpu }), ...(memory !== undefined && { memory }) };

/** Affinity and tolerations of a pod, without empty fields. */
function placement(role: Role, { targets = [] }: JobFields, teraslice: MasterSettings): object {
  const of = (wanted: string): readonly JobTarget[] =>
    targets.filter(({ constraint = "required" }) => constraint === wanted);
  const controllers = role === "execution_controller" ? (teraslice.execution_controller_targets ?? []) : [];
  const required = [...of("required"), ...controllers];
  const preferred = of("preferred");
  const accepted = [...of("accepted"), ...controllers];
  const nodeAffinity = {
    ...(required.length > 0 && {
      // A single term, because a node must match only one of several.
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: required.map(expression) }],
      },
    }),
    ...(preferred.length > 0 && {
      preferredDuringSchedulingIgnoredDuringExecution: preferred.map((target) => ({
        weight: 1,
        preference: { matchExpressions: [expression(target)] },
      })),
    }),
  };
  const affinity = {
    ...(Object.keys(nodeAffinity).length > 0 && { nodeAffinity }),
    ...(role === "worker" &&
      teraslice.kubernetes_worker_antiaffinity && { podAntiAffinity: spreadAffinity(teraslice) }),
  };
  return {
    ...(Object.keys(affinity).length > 0 && { affinity }),
    ...(accepted.length > 0 && {
      tolerations: accepted.map(({ key, value }) => ({ key, operator: "Equal", value, effect: "NoSchedule" })),
    }),
  };
}

const expression = ({ key, value }: { readonly key: string; readonly value: string }): object => ({
  key,
  operator: "In",
  values: [value],
});

/** Prefers nodes without other pods of the cluster. */
function spreadAffinity({ name }: MasterSettings): object {
  const matchExpressions = [
    { key: "app.kubernetes.io/name", operator: "In", values: ["teraslice"] },
    { key: "app.kubernetes.io/instance", operator: "In", values: [instanceLabel(name)] },
  ];
  const podAffinityTerm = { labelSelector: { matchExpressions }, topologyKey: "kubernetes.io/hostname" };
  return { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm }] };
}

/** Volume and mount path of `ephemeral_storage`. */
const EPHEMERAL = { name: "ephemeral-volume", mountPath: "/ephemeral0" } as const;

/** Default name of the volume for assets. */
export const ASSETS_VOLUME = "assets";

/** Placeholder for the execution, which contains the job and values that a master adds. */
export const EXECUTION = "<the execution, as base64>";

/** A volume of a pod and its mount path. */
interface Mounted {
  readonly name: string;
  readonly mountPath: string;
  readonly source: object;
}

/** Spec of a job's pods, before the job's override. */
export function podSpec(role: Role, name: string, job: JobFields, settings: TerasliceSettings): object {
  const { teraslice } = settings;
  const mounted = mounts(job, settings);
  const pullSecret = teraslice.kubernetes_image_pull_secret;
  const priority = teraslice.kubernetes_priority_class_name;
  const isPrior = priority !== undefined && (role === "execution_controller" || job.stateful === true);
  return {
    ...placement(role, job, teraslice),
    containers: [container(role, name, job, settings, mounted)],
    ...(pullSecret !== undefined && { imagePullSecrets: [{ name: pullSecret }] }),
    ...(isPrior && { priorityClassName: priority }),
    ...(role === "execution_controller" && { restartPolicy: "Never" }),
    securityContext: podSecurity(),
    terminationGracePeriodSeconds: Math.round(teraslice.shutdown_timeout / 1000),
    volumes: mounted.map((each) => ({ name: each.name, ...each.source })),
  };
}

function container(
  role: Role,
  name: string,
  job: JobFields,
  { teraslice, terafoundation }: TerasliceSettings,
  mounted: readonly Mounted[],
): object {
  const wanted = resources(role, job, teraslice);
  const most = wanted?.limits?.memory;
  const variables = {
    ...(most !== undefined && { NODE_OPTIONS: `--max-old-space-size=${heapMb(most)}` }),
    ...teraslice.env_vars,
    ...job.env_vars,
  };
  const port = PORTS.executionController;
  return {
    name,
    image: job.kubernetes_image || teraslice.kubernetes_image,
    env: [
      { name: "NODE_TYPE", value: role },
      { name: "EX", value: EXECUTION },
      { name: "POD_IP", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } },
      ...Object.entries(variables).map(([key, value]) => ({ name: key, value })),
    ],
    ports: [
      { containerPort: port },
      ...portsOf(job, terafoundation).map((each) =>
        typeof each === "number" ? { containerPort: each } : { name: each.name, containerPort: each.port },
      ),
    ],
    ...(role === "execution_controller" && {
      readinessProbe: {
        httpGet: { path: "/health", port },
        initialDelaySeconds: 3,
        periodSeconds: 10,
        timeoutSeconds: 1,
        successThreshold: 1,
        failureThreshold: 3,
      },
    }),
    ...(wanted && { resources: wanted }),
    securityContext: containerSecurity(),
    volumeMounts: mounted.map((each) => ({ name: each.name, mountPath: each.mountPath })),
  };
}

/** The volumes. The configuration is always first. */
export function mounts(job: JobFields, { teraslice }: TerasliceSettings): readonly Mounted[] {
  const claim = (claimName: string): object => ({ persistentVolumeClaim: { claimName } });
  const { assets_directory, assets_volume } = teraslice;
  const items = [{ key: CONFIG_FILE, path: CONFIG_FILE }];
  const config = { configMap: { name: teraslice.kubernetes_config_map_name, items } };
  return [
    { name: CONFIG_VOLUME, mountPath: CONFIG_DIRECTORY, source: config },
    ...(job.volumes ?? []).map(({ name, path }) => ({ name, mountPath: path, source: claim(name) })),
    {
      name: assets_volume ?? ASSETS_VOLUME,
      mountPath: assets_directory,
      source: assets_volume === undefined ? { emptyDir: {} } : claim(assets_volume),
    },
    ...(job.ephemeral_storage === true ? [{ ...EPHEMERAL, source: { emptyDir: {} } }] : []),
  ];
}
