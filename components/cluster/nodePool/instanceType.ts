/** What the name of an EC2 instance type reports. Pure. */

export interface InstanceType {
  readonly architecture: "x86_64" | "arm64";
  /** With NVIDIA GPUs, which need their own image. */
  readonly gpu: boolean;
}

const NAME = /^([a-z]+)(\d+)([a-z]*)(?:-[a-z0-9-]+)?\.(nano|micro|small|medium|large|\d*xlarge|metal(-\d+xl)?)$/;
/** Families of other accelerators and systems, for which there is no Linux image of ours. */
const OTHERS = new Set(["inf", "trn", "dl", "vt", "f", "mac"]);

/** Undefined for what is not a type of the current generations, or one that our images don't fit. */
export function instanceType(name: string): InstanceType | undefined {
  const match = NAME.exec(name);
  if (!match) return undefined;
  const [, family = "", generation = "", attributes = ""] = match;
  if (OTHERS.has(family)) return undefined;
  // Graviton: a `g` among the attributes, behind the generation; a1 was the first of them.
  const arm = attributes.includes("g") || (family === "a" && generation === "1");
  // u7i and the like are memory machines; g and p are the families of GPUs, with g4ad of AMD's.
  const gpu = (family === "g" || family === "gr" || family === "p") && !attributes.includes("ad");
  return { architecture: arm ? "arm64" : "x86_64", gpu };
}

/** CPUs of a type by the rule of its size; undefined for bare metal that does not say it. */
export function vcpusOf(name: string): number | undefined {
  const [family = "", size = ""] = name.split(".");
  const [, times, metal] = /^(?:(\d*)xlarge|metal-(\d+)xl)$/.exec(size) ?? [];
  if (times !== undefined || metal !== undefined) return 4 * Number(times || metal || 1);
  if (size === "medium" && !family.startsWith("t")) return 1;
  return ["nano", "micro", "small", "medium", "large"].includes(size) ? 2 : undefined;
}
