import type { Deployment, SlotSize } from "./platform/platform";

/** What a runtime is given. */
export interface RuntimeSize {
  /** CPUs. */
  readonly cpu: number;
  /** Memory in GB. */
  readonly memoryGb: number;
  /** Disk in bytes. */
  readonly storageBytes: number;
}

const GIB = 2 ** 30;

/** Three digits are what Kubernetes keeps of a CPU, and free of the tails of binary fractions. */
const round = (value: number): number => Math.round(value * 1000) / 1000;

/** Size of a deployment: its slots times the size of one, the disk overridden where the deployment says so. */
export function runtimeSize({ slots, diskGb }: Pick<Deployment, "slots" | "diskGb">, slot: SlotSize): RuntimeSize {
  return {
    cpu: round(slots * slot.cpu),
    memoryGb: round(slots * slot.memoryGb),
    storageBytes: Math.round((diskGb ?? slots * slot.diskGb) * GIB),
  };
}
