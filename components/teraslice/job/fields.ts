/** Fields of a checked job that determine its pods, named as in Teraslice's documentation. */
export interface JobFields {
  readonly name?: string;
  readonly workers?: number;
  readonly stateful?: boolean;
  readonly labels?: Readonly<Record<string, string>> | null;
  readonly env_vars?: Readonly<Record<string, string>>;
  readonly targets?: readonly JobTarget[];
  readonly volumes?: readonly JobVolume[];
  readonly external_ports?: readonly (number | JobPort)[];
  readonly ephemeral_storage?: boolean;
  readonly kubernetes_image?: string;
  readonly pod_spec_override?: Readonly<Record<string, unknown>>;
  /** CPUs, both request and limit. Memory is in bytes, also both. */
  readonly cpu?: number;
  readonly memory?: number;
  readonly resources_requests_cpu?: number;
  readonly resources_limits_cpu?: number;
  readonly resources_requests_memory?: number;
  readonly resources_limits_memory?: number;
  readonly cpu_execution_controller?: number;
  readonly memory_execution_controller?: number;
  readonly prom_metrics_enabled?: boolean;
  readonly prom_metrics_port?: number;
}

export interface JobTarget {
  readonly key: string;
  readonly value: string;
  /** `required` (the default), `preferred` or `accepted`. */
  readonly constraint?: string;
}

interface JobVolume {
  /** Name of a PersistentVolumeClaim. */
  readonly name: string;
  /** Mount path in the container. */
  readonly path: string;
}

export interface JobPort {
  readonly name: string;
  readonly port: number;
}

/** Constraints of a target. A master ignores others. */
export const CONSTRAINTS = ["required", "preferred", "accepted"] as const;

/** A master's default name of a job. */
export const NAMELESS = "Custom Job";

/** Maximum of the default number of workers, which is one per CPU of the master's node. */
export const MOST_WORKERS_BY_DEFAULT = 5;

/** Ports of a job's pods in addition to Teraslice's own: the job's ports, and the metrics port if enabled. */
export function portsOf(
  { external_ports = [], prom_metrics_enabled, prom_metrics_port }: JobFields,
  metrics: { readonly prom_metrics_enabled: boolean; readonly prom_metrics_port: number },
): readonly (number | JobPort)[] {
  if (!(prom_metrics_enabled ?? metrics.prom_metrics_enabled)) return external_ports;
  const port = prom_metrics_port || metrics.prom_metrics_port;
  const there = external_ports.some((each) => (typeof each === "number" ? each : each.port) === port);
  return there ? external_ports : [...external_ports, { name: "metrics", port }];
}
