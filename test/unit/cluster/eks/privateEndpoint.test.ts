import assert from "node:assert/strict";
import { valueOf } from "../../runtime/mocks";
import { faultsOf, graphOf } from "./clusters";

/** One fault that matches. */
function refuses(cluster: object, pattern: RegExp): void {
  const faults = faultsOf(cluster);
  assert.equal(faults.length, 1, faults.join("\n"));
  assert.match(faults[0] ?? "", pattern);
}

const office = { cidr: "192.168.0.0/16", transitGatewayId: "tgw-0000000a" };

describe("the private endpoint of an EKS cluster", function () {
  this.timeout(20_000);

  it("admits connected networks and security groups", async () => {
    const endpoint = {
      privateCidrs: ["192.168.0.0/16"],
      privateSecurityGroupIds: ["sg-0000000a"],
      securityGroupIds: ["sg-0000000b"],
    };
    const recorder = await graphOf({ endpoint });
    const rules = recorder.resources.filter(({ type }) => type.endsWith(":SecurityGroupIngressRule"));
    assert.deepEqual(
      rules.map(({ name, inputs }) => [
        name,
        inputs["cidrIpv4"] ?? inputs["referencedSecurityGroupId"],
        inputs["toPort"],
      ]),
      [
        ["cluster-eks-control-plane-from/192.168.0.0/16", "192.168.0.0/16", 443],
        ["cluster-eks-control-plane-from/sg-0000000a", "sg-0000000a", 443],
      ],
    );
    const { vpcConfig } = recorder.only("aws:eks/cluster:Cluster").inputs as {
      vpcConfig: Record<string, unknown>;
    };
    assert.deepEqual(vpcConfig["securityGroupIds"], ["sg-0000000b"]);
  });

  it("has the ids of its network as an output", async () => {
    const existing = { privateSubnetIds: ["subnet-0000000a", "subnet-0000000b"] };
    const { outputs } = await graphOf({ network: { existing } }, "ci", undefined, {
      vpcConfig: { vpcId: "vpc-0a", clusterSecurityGroupId: "sg-0000000c" },
    });
    assert.deepEqual(await valueOf(outputs["network"]), {
      vpcId: "vpc-0a",
      privateSubnetIds: existing.privateSubnetIds,
      securityGroupId: "sg-0000000c",
    });
  });

  it("is rejected for sources that could not reach it, or for everybody", () => {
    refuses(
      { endpoint: { privateCidrs: ["0.0.0.0/0"] } },
      /privateCidrs\[0\]: .*; expected ranges of your own networks/,
    );
    refuses(
      { endpoint: { privateCidrs: ["10.9.0.0/16", "10.9.0.0/16"] } },
      /privateCidrs\[1\]: .*; expected each once/,
    );
    const existing = { privateSubnetIds: ["subnet-0000000a", "subnet-0000000b"] };
    const endpoint = { private: false, publicCidrs: ["203.0.113.0/24"], privateCidrs: ["10.9.0.0/16"] };
    refuses({ endpoint, network: { existing } }, /privateCidrs\[0\]: .*; expected nothing, because private is false/);
    refuses(
      { endpoint: { securityGroupIds: ["sg-00000001", "sg-00000002", "sg-00000003", "sg-00000004", "sg-00000005"] } },
      /4 security groups at most/,
    );
    refuses({ endpoint: { privateSecurityGroupIds: ["runners"] } }, /expected the id of a security group such as sg-/);
  });

  it("is reached by routes, through a transit gateway to which the private subnets are attached", async () => {
    const routes = { office, lab: { cidr: "10.0.0.0/8", peeringConnectionId: "pcx-0000000a" } };
    const { resources } = await graphOf({ network: { zones: 2, nat: "single", routes } });
    const attachments = resources.filter(({ type }) => type.endsWith(":VpcAttachment"));
    assert.deepEqual(
      attachments.map(({ inputs }) => [inputs["transitGatewayId"], (inputs["subnetIds"] as string[]).length]),
      [["tgw-0000000a", 2]],
    );
    const routesOf = (suffix: string): unknown =>
      resources.find(({ type, name }) => type.endsWith(":RouteTable") && name.endsWith(suffix))?.inputs["routes"];
    assert.deepEqual((routesOf("-private-0") as unknown[]).slice(1), [
      { cidrBlock: "192.168.0.0/16", transitGatewayId: "tgw-0000000a" },
      { cidrBlock: "10.0.0.0/8", vpcPeeringConnectionId: "pcx-0000000a" },
    ]);
    assert.equal((routesOf("-public") as unknown[]).length, 1);
  });

  it("has no routes that EC2 rejects", () => {
    const routes = (of: object) => ({ network: { routes: { office: of } } });
    refuses(
      routes({ cidr: "192.168.0.0/16" }),
      /routes\.office: found 0 targets; expected transitGatewayId or peering/,
    );
    refuses(routes({ ...office, peeringConnectionId: "pcx-0000000a" }), /routes\.office: found 2 targets/);
    refuses(routes({ ...office, cidr: "10.0.128.0/20" }), /office\.cidr: .*; expected a range outside of the VPC/);
    refuses(routes({ ...office, cidr: "0.0.0.0/0" }), /office\.cidr: .*; expected the range of a network/);
    refuses({ network: { routes: { a: office, b: office } } }, /routes\.b\.cidr: .*; expected each range once/);
    const existing = { privateSubnetIds: ["subnet-0000000a", "subnet-0000000b"] };
    refuses({ network: { existing, routes: { office } } }, /routes\.office: .*because the VPC exists already/);
  });
});
