import { CONFIG_FILE } from "../../podConfig/configMaps";
import { PORTS } from "../../podConfig/names";
import { CONFIG_DIRECTORY, CONFIG_VOLUME, containerSecurity, podSecurity } from "../../podConfig/secretConfig";
import type { TerasliceSettings } from "../../settings";
import { portsOf, type JobFields } from "../fields";
import type { Role } from "./labels";
import { placement } from "./placement";
import { heapMb, resources } from "./resources";

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
