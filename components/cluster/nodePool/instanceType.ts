/** Parses the name of an EC2 instance type. Pure. */

interface InstanceType {
  readonly architecture: "x86_64" | "arm64";
  /** NVIDIA GPUs, or the chips of Inferentia and Trainium. Each requires another image. Not set: neither. */
  readonly accelerator?: "gpu" | "neuron";
}

/** High-memory types of the first generation. */
const HIGH_MEMORY = /^u-\d+tb1\.(metal|\d+xlarge)$/;
const NAME = /^([a-z]+)(\d+)([a-z]*)(?:-([a-z0-9-]+))?\.(nano|micro|small|medium|large|\d*xlarge|metal(-\d+xl)?)$/;
/** Families with other accelerators or systems, for which there is no supported Linux image. */
const OTHERS = new Set(["dl", "vt", "f", "mac"]);

/** Their GPUs and chips have no driver in the images. Source: the EKS user guide, "Use EKS-optimized accelerated AMIs". */
const NO_DRIVER = new Set(["p2", "g3", "g3s", "g4ad", "inf1"]);

/** Returns undefined for types of old generations, and for types without a supported image. */
export function instanceType(name: string): InstanceType | undefined {
  if (HIGH_MEMORY.test(name)) return { architecture: "x86_64" };
  const match = NAME.exec(name);
  if (!match) return undefined;
  const [, family = "", generation = "", attributes = "", more = ""] = match;
  if (OTHERS.has(family) || NO_DRIVER.has(family + generation + attributes)) return undefined;
  // Graviton types have a `g` among the attributes after the generation. a1 was the first generation.
  // The CPU of GB200 and GB300 is Grace.
  const arm = attributes.includes("g") || more.startsWith("gb") || (family === "a" && generation === "1");
  const accelerator = ["g", "gr", "p"].includes(family)
    ? "gpu"
    : family === "inf" || family === "trn"
      ? "neuron"
      : undefined;
  return { architecture: arm ? "arm64" : "x86_64", ...(accelerator && { accelerator }) };
}

/** Number of CPUs, derived from the size; undefined for bare metal without a size. */
export function vcpusOf(name: string): number | undefined {
  const [family = "", size = ""] = name.split(".");
  const [, times, metal] = /^(?:(\d*)xlarge|metal-(\d+)xl)$/.exec(size) ?? [];
  if (times !== undefined || metal !== undefined) return 4 * Number(times || metal || 1);
  if (size === "medium" && !family.startsWith("t")) return 1;
  return ["nano", "micro", "small", "medium", "large"].includes(size) ? 2 : undefined;
}
