/** Where AWS publishes the newest release of a node image: a public parameter of Systems Manager. Pure. */

/** An AMI type as EKS spells it. */
const NAME = /^(AL2023|BOTTLEROCKET)_(x86_64|ARM_64)(?:_(STANDARD|NVIDIA))?$/;

/** Name of the parameter whose value is what a node group takes as its release version. */
export function releaseParameter(amiType: string, minor: string): string {
  const [, system, machine, variant] = NAME.exec(amiType) ?? [];
  if (system === undefined) throw new Error(`found the AMI type ${amiType}; expected one of AL2023 or Bottlerocket`);
  const architecture = machine === "ARM_64" ? "arm64" : "x86_64";
  if (system === "AL2023") {
    const kind = variant === "NVIDIA" ? "nvidia" : "standard";
    return `/aws/service/eks/optimized-ami/${minor}/amazon-linux-2023/${architecture}/${kind}/recommended/release_version`;
  }
  const flavour = variant === "NVIDIA" ? "-nvidia" : "";
  return `/aws/service/bottlerocket/aws-k8s-${minor}${flavour}/${architecture}/latest/image_version`;
}
