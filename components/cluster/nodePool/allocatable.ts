/** What a node of an EC2 instance type leaves to pods. Pure. */

/** An instance type as AWS describes it. */
export interface InstanceSize {
  readonly type: string;
  readonly vcpus: number;
  readonly memoryMib: number;
  /** NVIDIA GPUs. */
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
/** Threshold of the kubelet's hard eviction. */
const EVICTION_MIB = 100;
/** Memory that firmware and kernel reserve: a share for the page table, and a fixed part. */
const KERNEL_SHARE = 0.018;
const KERNEL_MIB = 120;
/** Requests of what EKS runs on every node: the disks' driver 120 MiB; network, proxy and driver 180m. */
const DAEMONS_MIB = 120;
const DAEMONS_CPU = 0.18;

/**
 * At most so much is there for pods: what a pod asks for beyond that fits no node of this type. `prefixes`: addresses are given
 * to nodes by the sixteen, as the platform has it.
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

/** As managed node groups set it: addresses of the network interfaces, 110 at most below 30 CPUs and 250 above. */
export function mostPods({ vcpus, networkInterfaces, addressesPerInterface }: InstanceSize, prefixes: boolean): number {
  const addresses = networkInterfaces * (addressesPerInterface - 1);
  return Math.min((prefixes ? addresses * 16 : addresses) + 2, vcpus < 30 ? 110 : 250);
}

/** The kubelet's on EKS: 6 % of the first CPU, 1 % of the second, 0.5 % of two more, 0.25 % of the others. */
const reservedCpu = (vcpus: number): number =>
  0.06 + 0.01 * Math.min(1, vcpus - 1) + 0.005 * Math.min(2, Math.max(0, vcpus - 2)) + 0.0025 * Math.max(0, vcpus - 4);
