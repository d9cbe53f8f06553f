import type { MasterSettings } from "../../settings";
import type { JobFields } from "../fields";
import type { Role } from "./labels";

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
export function resources(role: Role, job: JobFields, teraslice: MasterSettings): Resources | undefined {
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
