/** Computes the resources that an EC2 instance type has for pods. Pure. */

/** An instance type as described by AWS. */
export interface InstanceSize {
  readonly type: string;
  readonly vcpus: number;
  readonly memoryMib: number;
  /** Number of NVIDIA GPUs. */
  readonly gpus: number;
  readonly networkInterfaces: number;
  readonly addressesPerInterface: number;
}

export interface Allocatable {
  readonly cpu: number;
  readonly memoryBytes: number;
  readonly gpus: number;
}

const MIB = 2 ** 20;
/** Hard eviction threshold of the kubelet. */
const EVICTION_MIB = 100;
/** Memory that firmware and kernel reserve: a share for the page table, and a fixed part. */
const KERNEL_SHARE = 0.018;
const KERNEL_MIB = 120;
/** Requests of the DaemonSets that EKS runs: 120 MiB for the disk driver; 180m for network, proxy and disk driver. */
const DAEMONS_MIB = 120;
const DAEMONS_CPU = 0.18;

/**
 * Upper bounds: a pod that requests more does not fit on this type. `prefixes`: addresses are assigned in blocks of 16,
 * which is the platform's default.
 */
export function allocatable(size: InstanceSize, prefixes = true): Allocatable {
  const capacity = size.memoryMib * (1 - KERNEL_SHARE) - KERNEL_MIB;
  const reserved = 255 + 11 * mostPods(size, prefixes) + EVICTION_MIB + DAEMONS_MIB;
  return {
    cpu: size.vcpus - reservedCpu(size.vcpus) - DAEMONS_CPU,
    memoryBytes: Math.max(0, capacity - reserved) * MIB,
    gpus: size.gpus,
  };
}

/**
 * Maximum number of pods, as managed node groups compute it from the addresses of the network interfaces; at most 110
 * below 30 CPUs, and 250 above.
 */
export function mostPods({ vcpus, networkInterfaces, addressesPerInterface }: InstanceSize, prefixes: boolean): number {
  const addresses = networkInterfaces * (addressesPerInterface - 1);
  return Math.min((prefixes ? addresses * 16 : addresses) + 2, vcpus < 30 ? 110 : 250);
}

/**
 * CPU reserved by the kubelet on EKS: 6 % of the first CPU, 1 % of the second, 0.5 % of the next two, 0.25 % of the
 * others.
 */
const reservedCpu = (vcpus: number): number =>
  0.06 + 0.01 * Math.min(1, vcpus - 1) + 0.005 * Math.min(2, Math.max(0, vcpus - 2)) + 0.0025 * Math.max(0, vcpus - 4);
