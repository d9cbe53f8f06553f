/** Reads the AWS resources of a cluster; changes nothing. */

import type * as ec2 from "@aws-sdk/client-ec2";
import { Failure, messageOf } from "../../../foundation/errors";
import type { AwsQuestions } from "../awsQuestions";
import { clusterTags } from "./owner";
import type { Account, Kind, Seen, SearchedCluster } from "./seen";

type Ec2 = typeof ec2;

export async function findLeftovers(
  { name, region, ownsVpc }: SearchedCluster,
  questions: AwsQuestions,
): Promise<Account> {
  const sdk = await import("@aws-sdk/client-ec2");
  const client = new sdk.EC2Client({ region });
  try {
    const isRunning = await questions.hasCluster(name);
    const vpcs = ownsVpc ? await vpcsOf(sdk, client, name) : [];
    const parts = await Promise.all([
      balanced(questions, name, vpcs.length > 0),
      inNetwork(sdk, client, name, vpcs),
      disks(sdk, client, name),
    ]);
    return { isRunning, seen: parts.flat() };
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`AWS does not say what is left of ${name} in ${region}: ${messageOf(error)}`);
  } finally {
    client.destroy();
  }
}

/** VPCs that a platform creates have the cluster's name; the cluster itself may be gone. */
async function vpcsOf(sdk: Ec2, client: ec2.EC2Client, name: string): Promise<string[]> {
  const { Vpcs = [] } = await client.send(
    new sdk.DescribeVpcsCommand({ Filters: [{ Name: "tag:Name", Values: [name] }] }),
  );
  return Vpcs.flatMap(({ VpcId }) => VpcId ?? []);
}

/** The tagging API lists load balancers of every generation. */
async function balanced(questions: AwsQuestions, name: string, inOwnVpc: boolean): Promise<Seen[]> {
  const types = ["elasticloadbalancing:loadbalancer", "elasticloadbalancing:targetgroup"];
  const found = await Promise.all(clusterTags(name).map(([key, value]) => questions.tagged(key, value, types)));
  const byArn = new Map(found.flat().map((one) => [one.arn, one]));
  return [...byArn.values()].map(({ arn, tags }): Seen => {
    const kind = arn.includes(":targetgroup/") ? "target group" : "load balancer";
    const [, text = ""] = /:(?:targetgroup|loadbalancer)\/(.+)$/.exec(arn) ?? [];
    return { kind, id: arn, state: "exists", tags, text, inOwnVpc };
  });
}

/** Lists everything in the platform's own VPC; in an existing VPC, only resources with the cluster's tags. */
async function inNetwork(sdk: Ec2, client: ec2.EC2Client, name: string, vpcs: readonly string[]): Promise<Seen[]> {
  const filters = vpcs.length > 0 ? [[{ Name: "vpc-id", Values: [...vpcs] }]] : tagFilters(name);
  const inOwnVpc = vpcs.length > 0;
  const [instances, interfaces, groups] = await Promise.all([
    each(
      filters,
      (Filters) => sdk.paginateDescribeInstances({ client }, { Filters }),
      ({ Reservations = [] }) => Reservations.flatMap(({ Instances = [] }) => Instances),
    ),
    each(
      filters,
      (Filters) => sdk.paginateDescribeNetworkInterfaces({ client }, { Filters }),
      ({ NetworkInterfaces }) => NetworkInterfaces,
    ),
    each(
      filters,
      (Filters) => sdk.paginateDescribeSecurityGroups({ client }, { Filters }),
      ({ SecurityGroups }) => SecurityGroups,
    ),
  ]);
  const seen = seenOf(inOwnVpc);
  return unique([
    ...instances.flatMap(({ InstanceId, State, Tags }) =>
      State?.Name === "terminated" || State?.Name === "shutting-down"
        ? []
        : [seen("instance", InstanceId, State?.Name, Tags, { text: tagsOf(Tags)["Name"] })],
    ),
    ...interfaces.map(({ NetworkInterfaceId, Status, TagSet, Description, Attachment, InterfaceType }) =>
      seen("network interface", NetworkInterfaceId, Status, TagSet, {
        text: Description,
        instance: Attachment?.InstanceId,
        use: InterfaceType,
      }),
    ),
    ...groups.map(({ GroupId, GroupName, Tags }) =>
      seen("security group", GroupId, "exists", Tags, { text: GroupName }),
    ),
  ]);
}

async function disks(sdk: Ec2, client: ec2.EC2Client, name: string): Promise<Seen[]> {
  const filters = tagFilters(name);
  const [volumes, snapshots] = await Promise.all([
    each(
      filters,
      (Filters) => sdk.paginateDescribeVolumes({ client }, { Filters }),
      ({ Volumes }) => Volumes,
    ),
    each(
      filters,
      (Filters) => sdk.paginateDescribeSnapshots({ client }, { Filters, OwnerIds: ["self"] }),
      ({ Snapshots }) => Snapshots,
    ),
  ]);
  const seen = seenOf(false);
  return unique([
    ...volumes.map(({ VolumeId, State, Tags, Size }) =>
      seen("volume", VolumeId, State, Tags, { text: `${tagsOf(Tags)["Name"] ?? ""} ${Size} GiB`.trim() }),
    ),
    ...snapshots.map(({ SnapshotId, State, Tags, VolumeId }) =>
      seen("snapshot", SnapshotId, State, Tags, { text: `of ${VolumeId}` }),
    ),
  ]);
}

/** One request per tag, because the filters of one request must all match. */
const tagFilters = (name: string): ec2.Filter[][] =>
  clusterTags(name).map(([key, value]) => [{ Name: `tag:${key}`, Values: [value] }]);

async function each<Page, One>(
  filters: readonly ec2.Filter[][],
  ask: (filters: ec2.Filter[]) => AsyncIterable<Page>,
  items: (page: Page) => readonly One[] | undefined,
): Promise<One[]> {
  const pages = filters.map(async (one) => {
    const found: One[] = [];
    for await (const page of ask(one)) found.push(...(items(page) ?? []));
    return found;
  });
  return (await Promise.all(pages)).flat();
}

const tagsOf = (tags: readonly ec2.Tag[] = []): Record<string, string> =>
  Object.fromEntries(tags.flatMap(({ Key, Value }) => (Key === undefined ? [] : [[Key, Value ?? ""]])));

type More = { readonly [Key in "text" | "instance" | "use"]?: string | undefined };

const seenOf =
  (inOwnVpc: boolean) =>
  (kind: Kind, id = "", state: string | undefined = "", tags: readonly ec2.Tag[] | undefined, more: More): Seen => {
    const { text, instance, use } = more;
    return {
      ...{ kind, id, state, tags: tagsOf(tags), inOwnVpc },
      ...(text && { text }),
      ...(instance && { instance }),
      ...(use && { use }),
    };
  };

/** A resource with several tags is found several times. */
const unique = (all: readonly Seen[]): Seen[] => [...new Map(all.map((one) => [one.id, one])).values()];
