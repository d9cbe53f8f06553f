import * as ec2 from "@aws-sdk/client-ec2";
import * as eks from "@aws-sdk/client-eks";
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import path from "node:path";
import { connection } from "../../doubles/aws/moto/maker";
import { startMoto, type MotoServer } from "../../doubles/aws/moto/server";

const stackyard = path.join(__dirname, "../../../cli/bin/stackyard");
const tagged = (type: ec2.ResourceType, tags: Record<string, string>) => ({
  TagSpecifications: [{ ResourceType: type, Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })) }],
});
const owned = { "kubernetes.io/cluster/acme": "owned" };

interface Printed {
  readonly running: boolean;
  readonly leftovers: readonly { kind: string; id: string; belongsTo: string; blocksVpc: boolean; fix: string }[];
}

describe("stackyard eks leftovers with moto as AWS", function () {
  this.timeout(120_000);
  let moto: MotoServer | undefined;
  let client: ec2.EC2Client;
  let subnet = "";
  let vpc = "";
  const made: Record<string, string> = {};

  before(async function () {
    // The first time moto is included.
    this.timeout(300_000);
    const started = await startMoto();
    if ("missing" in started) return this.skip();
    moto = started;
    client = new ec2.EC2Client(connection(moto.address));
    const network = { CidrBlock: "10.0.0.0/16", ...tagged("vpc", { Name: "acme" }) };
    vpc = (await client.send(new ec2.CreateVpcCommand(network))).Vpc?.VpcId ?? "";
    subnet =
      (await client.send(new ec2.CreateSubnetCommand({ VpcId: vpc, CidrBlock: "10.0.0.0/24" }))).Subnet?.SubnetId ?? "";
    const second = await client.send(
      new ec2.CreateSubnetCommand({ VpcId: vpc, CidrBlock: "10.0.1.0/24", AvailabilityZone: "eu-central-1b" }),
    );
    const roleArn = "arn:aws:iam::123456789012:role/acme-control-plane";
    const resourcesVpcConfig = { subnetIds: [subnet, second.Subnet?.SubnetId ?? ""] };
    const cluster = new eks.EKSClient(connection(moto.address));
    await cluster.send(new eks.CreateClusterCommand({ name: "acme", roleArn, resourcesVpcConfig }));
    await makeWhatControllersMake(resourcesVpcConfig.subnetIds);
  });
  after(async () => {
    client.destroy();
    await moto?.stop();
  });

  /** What the EBS driver and controllers of load balancers create, with the tags that they set; and something of another cluster. */
  async function makeWhatControllersMake(subnets: readonly string[]): Promise<void> {
    const disk = { AvailabilityZone: "eu-central-1a", Size: 4 };
    const claim = {
      "kubernetes.io/created-for/pvc/name": "data",
      "kubernetes.io/created-for/pvc/namespace": "runtimes",
    };
    const volume = (tags: Record<string, string>) =>
      client.send(new ec2.CreateVolumeCommand({ ...disk, ...tagged("volume", tags) }));
    made["volume"] = (await volume({ ...owned, ...claim })).VolumeId ?? "";
    await volume({ ...claim, "kubernetes.io/cluster/other": "owned" });
    const left = new ec2.CreateNetworkInterfaceCommand({ SubnetId: subnet, Description: "aws-K8S-i-0123" });
    made["interface"] = (await client.send(left)).NetworkInterface?.NetworkInterfaceId ?? "";
    const group = { GroupName: "k8s-traffic", Description: "of load balancers", VpcId: vpc };
    const created = new ec2.CreateSecurityGroupCommand({
      ...group,
      ...tagged("security-group", { "elbv2.k8s.aws/cluster": "acme" }),
    });
    made["group"] = (await client.send(created)).GroupId ?? "";
    const tags = { "elbv2.k8s.aws/cluster": "acme", "ingress.k8s.aws/stack": "runtimes/acme" };
    made["balancer"] = await balancer("k8s-runtimes", subnets, tags);
    await balancer("k8s-others", subnets, { "elbv2.k8s.aws/cluster": "other" });
  }

  /** By the query API: one request is not worth another client. */
  async function balancer(name: string, subnets: readonly string[], tags: Record<string, string>): Promise<string> {
    const fields = new URLSearchParams({ Action: "CreateLoadBalancer", Version: "2015-12-01", Name: name });
    subnets.forEach((id, index) => fields.set(`Subnets.member.${index + 1}`, id));
    Object.entries(tags).forEach(([key, value], index) => {
      fields.set(`Tags.member.${index + 1}.Key`, key);
      fields.set(`Tags.member.${index + 1}.Value`, value);
    });
    const text = await query(fields);
    return /<LoadBalancerArn>([^<]+)</.exec(text)?.[1] ?? "";
  }

  async function query(body: URLSearchParams): Promise<string> {
    const scope = "double/20260101/eu-central-1/elasticloadbalancing/aws4_request";
    const authorization = `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=0`;
    const response = await fetch(moto!.address, { method: "POST", headers: { authorization }, body });
    const text = await response.text();
    assert.ok(response.ok, text);
    return text;
  }

  const run = (...args: string[]) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      const env = {
        PATH: process.env["PATH"],
        HOME: process.env["HOME"],
        AWS_ENDPOINT_URL: moto!.address,
        AWS_ACCESS_KEY_ID: "double",
        AWS_SECRET_ACCESS_KEY: "double",
      };
      const named = ["eks", "leftovers", "--cluster", "acme", "--region", "eu-central-1", ...args];
      execFile(process.execPath, [stackyard, ...named], { env }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
    });

  it("lists resources of controllers with commands that delete them while the cluster runs", async () => {
    const { code, stdout, stderr } = await run("-o", "json");
    assert.equal(code, 1, stderr);
    const { running, leftovers } = JSON.parse(stdout) as Printed;
    assert.equal(running, true);
    const found = new Map(leftovers.map((one) => [one.id, one]));
    assert.match(found.get(made["volume"]!)?.fix ?? "", /delete persistentvolumeclaim data$/);
    assert.match(found.get(made["balancer"]!)?.fix ?? "", /kubectl -n runtimes delete ingress acme$/);
    assert.equal(found.get(made["group"]!)?.blocksVpc, true);
    assert.match(found.get(made["interface"]!)?.fix ?? "", /delete-network-interface/);
    assert.doesNotMatch(stdout, /other/);
    assert.match(stderr, /error: found \d resources of acme that stay/);
  });

  it("lists leftovers after the cluster's deletion until none remain", async () => {
    const cluster = new eks.EKSClient(connection(moto!.address));
    await cluster.send(new eks.DeleteClusterCommand({ name: "acme" }));
    const { code, stdout } = await run();
    assert.equal(code, 1);
    assert.match(stdout, /volume +vol-\w+ +claim runtimes\/data +available +no/);
    assert.match(stdout, /aws elbv2 delete-load-balancer --load-balancer-arn arn:\S+k8s-runtimes/);
    const blocking = JSON.parse((await run("--blocking", "--json")).stdout) as Printed;
    assert.equal(blocking.running, false);
    assert.ok(blocking.leftovers.every(({ blocksVpc }) => blocksVpc));
    await client.send(new ec2.DeleteVolumeCommand({ VolumeId: made["volume"] }));
    await client.send(new ec2.DeleteNetworkInterfaceCommand({ NetworkInterfaceId: made["interface"] }));
    await remove(made["balancer"]!);
    await client.send(new ec2.DeleteSecurityGroupCommand({ GroupId: made["group"] }));
    const last = await run();
    assert.equal(last.code, 0, last.stdout);
    assert.match(last.stdout, /found no resources of acme that stay/);
  });

  async function remove(arn: string): Promise<void> {
    const fields = new URLSearchParams({ Action: "DeleteLoadBalancer", Version: "2015-12-01", LoadBalancerArn: arn });
    await query(fields);
  }
});
