/** Parameters of Systems Manager in which AWS publishes the latest release of a node image. Pure. */

/** An AMI type as in the EKS API. */
const NAME = /^(AL2023|BOTTLEROCKET)_(x86_64|ARM_64)(?:_(STANDARD|NVIDIA|NEURON))?(_FIPS)?$/;

/** Name of the parameter whose value is the release version for a node group. */
export function releaseParameter(amiType: string, minor: string): string {
  const [, system, machine, variant, fips = ""] = NAME.exec(amiType) ?? [];
  if (system === undefined) throw new Error(`found the AMI type ${amiType}; expected one of AL2023 or Bottlerocket`);
  const architecture = machine === "ARM_64" ? "arm64" : "x86_64";
  if (system === "AL2023") {
    const kind = (variant ?? "STANDARD").toLowerCase();
    return `/aws/service/eks/optimized-ami/${minor}/amazon-linux-2023/${architecture}/${kind}/recommended/release_version`;
  }
  const flavour = `${variant === "NVIDIA" ? "-nvidia" : ""}${fips && "-fips"}`;
  return `/aws/service/bottlerocket/aws-k8s-${minor}${flavour}/${architecture}/latest/image_version`;
}
