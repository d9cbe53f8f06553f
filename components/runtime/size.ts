import type { Deployment } from "./request/deployment";

/** Size of a slot. */
export interface SlotSize {
  /** CPUs. Default: 1. */
  readonly cpu: number;
  /** Memory in GB. Default: 4. */
  readonly memoryGb: number;
  /** Disk in GiB. Default: 40. */
  readonly diskGb: number;
}

/** Resources of a runtime. */
export interface RuntimeSize {
  /** CPUs. */
  readonly cpu: number;
  /** Memory in GB. */
  readonly memoryGb: number;
  /** Disk in bytes. */
  readonly storageBytes: number;
}

const GIB = 2 ** 30;

/** Kubernetes stores three decimals of a CPU. Rounding also removes floating-point errors. */
const round = (value: number): number => Math.round(value * 1000) / 1000;

/** Size of a deployment: slots times the slot size. `diskGb` overrides the disk. */
export function runtimeSize({ slots, diskGb }: Pick<Deployment, "slots" | "diskGb">, slot: SlotSize): RuntimeSize {
  return {
    cpu: round(slots * slot.cpu),
    memoryGb: round(slots * slot.memoryGb),
    storageBytes: Math.round((diskGb ?? slots * slot.diskGb) * GIB),
  };
}
