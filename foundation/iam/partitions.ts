/** A separate set of regions of AWS, with ARNs, accounts and an IAM of its own. */
interface Partition {
  /** As in ARNs. */
  readonly id: string;
  /** Domain of its endpoints. */
  readonly domain: string;
  /** Where requests to IAM go, and the region that they are signed for. */
  readonly iam: { readonly host: string; readonly region: string };
}

const PUBLIC: Partition = {
  id: "aws",
  domain: "amazonaws.com",
  iam: { host: "iam.amazonaws.com", region: "us-east-1" },
};

/** The others by how their regions begin. Source: partitions and endpoints of IAM in botocore 1.44. */
const OTHERS: Readonly<Record<string, readonly [id: string, domain: string, iamRegion: string, iamHost?: string]>> = {
  "cn-": ["aws-cn", "amazonaws.com.cn", "cn-north-1"],
  "us-gov-": ["aws-us-gov", "amazonaws.com", "us-gov-west-1", "iam.us-gov.amazonaws.com"],
  "eusc-": ["aws-eusc", "amazonaws.eu", "eusc-de-east-1"],
  "us-iso-": ["aws-iso", "c2s.ic.gov", "us-iso-east-1"],
  "us-isob-": ["aws-iso-b", "sc2s.sgov.gov", "us-isob-east-1"],
  "eu-isoe-": ["aws-iso-e", "cloud.adc-e.uk", "eu-isoe-west-1"],
  "us-isof-": ["aws-iso-f", "csp.hci.ic.gov", "us-isof-south-1"],
};

/** The partition of a region. Pure. */
export function partition(region: string): Partition {
  const [, found] = Object.entries(OTHERS).find(([start]) => region.startsWith(start)) ?? [];
  if (found === undefined) return PUBLIC;
  const [id, domain, iamRegion, host = `iam.${iamRegion}.${domain}`] = found;
  return { id, domain, iam: { host, region: iamRegion } };
}
