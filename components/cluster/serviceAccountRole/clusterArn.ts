interface ClusterArn {
  readonly partition: string;
  readonly account: string;
  /** Region and account, as in an ARN. */
  readonly place: string;
  readonly name: string;
}

/** Parses the ARN of an EKS cluster. Pure. */
export function partsOf(arn: string): ClusterArn {
  const [, partition = "", service, region, account = "", resource = ""] = arn.split(":");
  const name = /^cluster\/(.+)$/.exec(resource)?.[1];
  if (service !== "eks" || name === undefined) throw new Error(`found ${arn}; expected the ARN of a cluster on EKS`);
  return { partition, account, place: `${region}:${account}`, name };
}
