/** The fields of a checked job that its pods follow from, by the names that Teraslice documents. */
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
  /** CPUs, request and limit. Bytes of memory likewise. */
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
  /** `required`, which is the default, `preferred` or `accepted`. */
  readonly constraint?: string;
}

export interface JobVolume {
  /** Name of a claim. */
  readonly name: string;
  /** Where it is in the container. */
  readonly path: string;
}

export interface JobPort {
  readonly name: string;
  readonly port: number;
}

/** Words of a target's constraint; a master takes no notice of any other. */
export const CONSTRAINTS = ["required", "preferred", "accepted"] as const;

/** What a master calls a job that has no name. */
export const NAMELESS = "Custom Job";

/** Workers of a job that does not say how many: one for each CPU of the master's node, this many at most. */
export const MOST_WORKERS_BY_DEFAULT = 5;

/** Ports of a job's pods besides the one that Teraslice takes: its own, and the one of metrics where they are served. */
export function portsOf(
  { external_ports = [], prom_metrics_enabled, prom_metrics_port }: JobFields,
  metrics: { readonly prom_metrics_enabled: boolean; readonly prom_metrics_port: number },
): readonly (number | JobPort)[] {
  if (!(prom_metrics_enabled ?? metrics.prom_metrics_enabled)) return external_ports;
  const port = prom_metrics_port || metrics.prom_metrics_port;
  const there = external_ports.some((each) => (typeof each === "number" ? each : each.port) === port);
  return there ? external_ports : [...external_ports, { name: "metrics", port }];
}
