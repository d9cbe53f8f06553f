import assert from "node:assert/strict";
import { judgeSubnets, type SeenSubnet } from "../../../../components/eks/preflight/subnets";
import { subnetOf } from "../answers";
import { withWarnings } from "../../runtime/warnings";
import { graphOf } from "./clusters";

/** An error of an invoke, whose message is in the details of gRPC. */
const failure = (details: string): Error => Object.assign(new Error(details), { details });

const existing = { privateSubnetIds: ["subnet-0000000a", "subnet-0000000b"], publicSubnetIds: ["subnet-0000001a"] };

/** What is said of the subnets, of which some differ; null for one that does not exist. */
function judged(changes: Record<string, Partial<SeenSubnet> | null> = {}, home?: Parameters<typeof judgeSubnets>[2]) {
  const ids = [...existing.privateSubnetIds, ...existing.publicSubnetIds];
  const seen = ids.map((id) => {
    const change = changes[id];
    return [id, change === null ? undefined : ({ ...subnetOf(id), ...change } as SeenSubnet)] as const;
  });
  return judgeSubnets(existing, new Map(seen), home);
}

describe("the subnets of an existing VPC", () => {
  const fault = (...args: Parameters<typeof judged>): string => judged(...args).faults.join("\n");

  it("are in one VPC, in two zones, with addresses for EKS", () => {
    assert.deepEqual(judged(), { faults: [], warnings: [] });
    assert.match(
      fault({ "subnet-0000000b": null }),
      /privateSubnetIds\[1\]: found "subnet-0000000b"; expected a subnet that exists/,
    );
    assert.match(
      fault({ "subnet-0000001a": { vpcId: "vpc-0b" } }),
      /^stackyard:cluster\.network\.existing\.publicSubnetIds\[0\]: found subnet-0000001a in vpc-0b; expected a subnet of vpc-0a/,
    );
    const a = { availabilityZone: "eu-central-1a" };
    assert.match(
      fault({ "subnet-0000000b": a }),
      /privateSubnetIds: found subnets in one zone, eu-central-1a; expected at least/,
    );
    assert.match(
      fault({ "subnet-0000000b": { availableIpAddressCount: 5 } }),
      /subnet-0000000b with 5 free .*; expected at least 6/,
    );
    assert.match(
      judged({ "subnet-0000000b": { availableIpAddressCount: 15 } }).warnings[0] ?? "",
      /EKS recommends 16 for/,
    );
    assert.deepEqual(judged({ "subnet-0000000b": { availableIpAddressCount: 16 } }).warnings, []);
    assert.match(
      fault({ "subnet-0000000a": { availabilityZoneId: "use1-az3" } }),
      /use1-az3; expected another zone, since EKS/,
    );
    assert.match(
      fault({ "subnet-0000000a": { outpostArn: "arn:aws:outposts:x" } }),
      /on an Outpost; expected a subnet in the/,
    );
  });

  it("stay in the VPC and in the zones of their cluster", () => {
    const zones = ["eu-central-1b", "eu-central-1a", "eu-central-1a"];
    assert.equal(fault({}, { vpcId: "vpc-0a", zones }), "");
    assert.match(
      fault({}, { vpcId: "vpc-0a", zones: [...zones, "eu-central-1c"] }),
      /found subnets in eu-central-1a, eu-central-1b; expected eu-central-1a, eu-central-1b, eu-central-1c: EKS keeps/,
    );
    assert.match(
      fault({}, { vpcId: "vpc-9", zones }),
      /found subnet-0000000a in vpc-0a; expected a subnet of vpc-9, where the/,
    );
  });

  it("are looked at before a cluster is created in them", async () => {
    const network = { existing: { privateSubnetIds: ["subnet-0000000a", "subnet-0000001a"] } };
    await assert.rejects(graphOf({ network }), /found subnets in one zone, eu-central-1a;[^]*Nothing was changed/);
    const { warned } = await withWarnings(() =>
      graphOf({ network: { existing } }, "ci", ({ token }) => {
        if (token.includes("getSubnet")) throw failure("UnauthorizedOperation");
        return undefined;
      }),
    );
    assert.match(warned.join("\n"), /Whether the subnets suit EKS is not known: .*UnauthorizedOperation/);
  });
});

describe("Spot in a new account", () => {
  const nodePools = { general: { instanceTypes: ["m7i.xlarge"], max: 5, capacity: "spot" } };
  const withoutRole = ({ token, inputs }: { token: string; inputs: Record<string, unknown> }) => {
    if (token.includes("getRole") && inputs["name"] === "AWSServiceRoleForEC2Spot") throw failure("NoSuchEntity");
    return undefined;
  };

  it("needs its service-linked role, which Karpenter may not create", async () => {
    await assert.rejects(
      graphOf({ nodes: "karpenter", nodePools }, "ci", withoutRole),
      /nodePools\.general\.capacity: found "spot", .*\n {2}aws iam create-service-linked-role --aws-service-name spot\.amazonaws\.com/,
    );
    assert.ok(await graphOf({ nodes: "karpenter", nodePools }));
  });

  it("needs no role that exists before with node groups, since Auto Scaling creates it", async () => {
    const general = { ...nodePools.general, min: 1 };
    assert.ok(await graphOf({ nodePools: { general } }, "ci", withoutRole));
  });
});
