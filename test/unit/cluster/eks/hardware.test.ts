import assert from "node:assert/strict";
import { autoClassManifest, AUTO_CLASS } from "../../../../components/eks/autoMode/autoMode";
import { releaseParameter } from "../../../../components/eks/versions/images";
import { bootstrapData } from "../../../../components/cluster/nodePool/bootstrap";
import { adapters } from "../../../../components/cluster/nodePool/launch";
import { amiType } from "../../../../components/cluster/nodePool/plan";
import { userDataOf } from "../../../../components/cluster/nodePool/userData";
import { EC2_CLASS, ec2ClassManifest, nodePoolManifest } from "../../../../components/cluster/onEks/nodePoolManifests";
import { resolvePool } from "../../../../components/eks/config/resolve";
import { nodePool } from "../../../../components/eks/config/nodePoolSchema";
import type { Call } from "../../runtime/mocks";
import { subnetOf } from "../answers";
import { faultsOf, graphOf, SMALLEST } from "./clusters";

const AMI = "ami-0123456789abcdef0";
const BLOCK = {
  instanceTypes: ["p5.48xlarge"],
  capacity: "capacityBlock",
  capacityReservationIds: ["cr-0000000a"],
  zones: ["eu-central-1b"],
  max: 2,
};
const TRAINING = { instanceTypes: ["p5.48xlarge"], max: 4, efa: true, placement: "cluster", zones: ["eu-central-1b"] };
const withPool = (more: object, cluster: object = {}) => ({
  ...cluster,
  nodePools: { ...SMALLEST.nodePools, more: { instanceTypes: ["m7i.xlarge"], max: 3, ...more } },
});
const poolOf = (more: object, userData?: string) =>
  resolvePool(nodePool.parse({ instanceTypes: ["m7i.xlarge"], max: 3, ...more }), userData);

/** What AWS says of types: P5 has 32 cards with adapters and local disks, others have neither. */
function answer({ token, inputs }: Call): Record<string, unknown> | undefined {
  if (token.includes("getInstanceType:")) {
    const has = String(inputs["instanceType"]).startsWith("p5");
    return {
      ...{ efaSupported: has, maximumNetworkCards: 32, efaMaximumInterfaces: 32, instanceStorageSupported: has },
      ...{ defaultVcpus: 192, memorySize: 2_000_000, gpuses: [] },
      ...{ maximumNetworkInterfaces: 4, maximumIpv4AddressesPerInterface: 50 },
    };
  }
  return token.includes("ec2/getSubnet:") && String(inputs["id"]) === "subnet-0000000f"
    ? { ...subnetOf("subnet-0000000f"), vpcId: "vpc-0b" }
    : undefined;
}

/** The launch template and the group of the pool `more`. */
async function madeOf(more: object, cluster: object = {}) {
  const { resources } = await graphOf(withPool(more, cluster), "ci", answer);
  const find = (type: string) =>
    resources.find((one) => one.type === type && one.name === "cluster-eks-nodes/more")?.inputs ?? {};
  return {
    template: find("aws:ec2/launchTemplate:LaunchTemplate"),
    group: find("aws:eks/nodeGroup:NodeGroup"),
    placement: find("aws:ec2/placementGroup:PlacementGroup"),
  };
}

function refuses(more: object, pattern: RegExp, cluster: object = {}): void {
  const faults = faultsOf(withPool(more, cluster));
  assert.ok(faults.length === 1 && pattern.test(faults[0] ?? ""), faults.join("\n"));
}

describe("the zones, image, capacity and devices of a node pool", function () {
  this.timeout(30_000);

  it("are a Capacity Block in its zone, by the launch template", async () => {
    const { template, group } = await madeOf(BLOCK);
    assert.deepEqual(template["capacityReservationSpecification"], {
      capacityReservationTarget: { capacityReservationId: "cr-0000000a" },
    });
    assert.deepEqual(template["instanceMarketOptions"], { marketType: "capacity-block" });
    assert.deepEqual([template["instanceType"], group["instanceTypes"]], ["p5.48xlarge", undefined]);
    assert.equal(group["capacityType"], "CAPACITY_BLOCK");
    assert.deepEqual(group["subnetIds"], ["cluster-eks-vpc-private-1-id"]);
  });

  it("are adapters on every network card, in a placement group", async () => {
    const { template, placement } = await madeOf(TRAINING);
    const all = template["networkInterfaces"] as {
      interfaceType: string;
      networkCardIndex: number;
      deviceIndex: number;
    }[];
    assert.equal(all.length, 32);
    assert.deepEqual(
      [0, 31].map((index) => [all[index]?.interfaceType, all[index]?.deviceIndex, all[index]?.networkCardIndex]),
      [
        ["efa", 0, 0],
        ["efa-only", 1, 31],
      ],
    );
    assert.equal(template["vpcSecurityGroupIds"], undefined);
    assert.equal(placement["strategy"], "cluster");
    assert.ok(template["placement"]);
    const withoutFirst = adapters({ cards: 17, adapters: 16 });
    assert.deepEqual([withoutFirst.length, withoutFirst[0]?.interfaceType], [17, "interface"]);
    await assert.rejects(
      madeOf({ ...TRAINING, instanceTypes: ["m7i.xlarge"] }),
      /nodePools\.more\.efa: found true, and m7i\.xlarge has no Elastic Fabric Adapter/,
    );
  });

  it("are an own image, whose nodes join by their own user data", async () => {
    const taints = ["dedicated=ray:NoSchedule"];
    const { template, group } = await madeOf({ amiId: AMI, taints, toleratedBy: "x" }, { ami: "latest" });
    assert.equal(template["imageId"], AMI);
    for (const key of ["amiType", "version", "releaseVersion"]) assert.equal(group[key], undefined, key);
    const data = Buffer.from(String(template["userData"]), "base64").toString();
    assert.match(data, /Content-Type: application\/node\.eks\.aws/);
    const { spec } = JSON.parse(/\{.*\}/.exec(data)?.[0] ?? "") as { spec: Record<string, Record<string, unknown>> };
    assert.deepEqual(spec["cluster"], {
      ...{ name: "acme", apiServerEndpoint: "https://x.eks.amazonaws.com", certificateAuthority: "Q0E=" },
      cidr: "172.20.0.0/16",
    });
    assert.deepEqual(spec["kubelet"]?.["flags"], [
      "--node-labels=stackyard.dev/node-pool=more,dedicated=ray",
      "--register-with-taints=dedicated=ray:NoSchedule",
    ]);
  });

  it("join their user data with the user's", () => {
    const script = userDataOf("al2023", "#!/bin/sh\necho\n");
    const data = bootstrapData("more", poolOf({ localStorage: "RAID0", userData: "x.sh" }, script)) ?? "";
    assert.match(data, /"localStorage":\{"strategy":"RAID0"\}[^]*Content-Type: text\/x-shellscript[^]*echo\n/);
    assert.equal(data.match(/^--==STACKYARD==$/gm)?.length, 2);
    assert.equal(data.match(/^--==STACKYARD==--$/gm)?.length, 1);
    assert.equal(bootstrapData("more", poolOf({ userData: "x.sh" }, script)), script);
    const bottlerocket = { os: "bottlerocket", localStorage: "RAID0", userData: "x.toml" };
    const join = { name: "acme", endpoint: "https://x", authority: "Q0E=", serviceCidr: "10.0.0.0/20" };
    const settings = bootstrapData("more", poolOf(bottlerocket, "[settings.ntp]\n"), join) ?? "";
    assert.match(settings, /^\[settings\.kubernetes\]\napi-server = "https:\/\/x"\n/);
    assert.match(settings, /\[settings\.bootstrap-commands\.local-storage\][^]*\[settings\.ntp\]/);
  });

  it("are images with FIPS modules", () => {
    const of = (instanceTypes: string[]) => amiType(poolOf({ instanceTypes, os: "bottlerocket", fips: true }));
    assert.equal(of(["m7g.large"]), "BOTTLEROCKET_ARM_64_FIPS");
    assert.equal(of(["g6.xlarge"]), "BOTTLEROCKET_x86_64_NVIDIA_FIPS");
    assert.equal(
      releaseParameter("BOTTLEROCKET_x86_64_NVIDIA_FIPS", "1.35"),
      "/aws/service/bottlerocket/aws-k8s-1.35-nvidia-fips/x86_64/latest/image_version",
    );
  });

  it("are in the classes and NodePools of Karpenter and EKS Auto Mode", () => {
    const source = {
      ...{
        roleName: "r",
        subnetIds: ["subnet-0000000a"],
        securityGroupId: "sg-0000000a",
        images: { more: "1.50.0-1a2b" },
      },
      placementGroups: { more: "acme-more" },
    };
    const classOf = (more: object) =>
      ec2ClassManifest("more", poolOf(more), source, { tags: {}, minor: "1.35" })["spec"] as Record<string, unknown>;
    const own = classOf({
      amiId: AMI,
      localStorage: "RAID0",
      capacityReservationIds: ["cr-0000000a"],
      subnetIds: ["subnet-0000000b"],
    });
    assert.deepEqual([own["amiFamily"], own["amiSelectorTerms"]], ["AL2023", [{ id: AMI }]]);
    assert.deepEqual(own["capacityReservationSelectorTerms"], [{ id: "cr-0000000a" }]);
    assert.deepEqual(own["placementGroupSelector"], { name: "acme-more" });
    assert.deepEqual([own["instanceStorePolicy"], own["subnetSelectorTerms"]], ["RAID0", [{ id: "subnet-0000000b" }]]);
    const ssmParameter = "/aws/service/bottlerocket/aws-k8s-1.35-fips/x86_64/1.50.0/image_id";
    assert.deepEqual(classOf({ os: "bottlerocket", fips: true })["amiSelectorTerms"], [{ ssmParameter }]);
    const auto = autoClassManifest("more", poolOf({ fips: true, capacityReservationIds: ["cr-0000000a"] }), source);
    assert.match(
      JSON.stringify(auto),
      /"capacityReservationSelectorTerms":\[\{"id":"cr-0000000a"\}\],"advancedSecurity":\{"fips":true\}/,
    );
    const requirements = (more: object, of = EC2_CLASS) =>
      JSON.stringify(nodePoolManifest("more", poolOf(more), 3, of));
    const capacity = (...values: string[]) =>
      `"karpenter.sh/capacity-type","operator":"In","values":${JSON.stringify(values)}`;
    assert.ok(requirements(BLOCK).includes(capacity("reserved")));
    assert.ok(requirements({ capacityReservationIds: ["cr-0000000a"] }).includes(capacity("reserved", "on-demand")));
    assert.match(
      requirements(BLOCK, AUTO_CLASS),
      /topology\.kubernetes\.io\/zone","operator":"In","values":\["eu-central-1b"\]/,
    );
    assert.match(requirements({ perZone: true, zones: ["eu-central-1a"] }), /"nodes":"3"/);
  });

  it("are compared with what AWS has before anything is created", async () => {
    await assert.rejects(
      madeOf({ zones: ["eu-central-1d"] }),
      /nodePools\.more\.zones\[0\]: found "eu-central-1d"; expected one of eu-central-1a, eu-central-1b, eu-central-1c/,
    );
    await assert.rejects(
      madeOf({ localStorage: "RAID0" }),
      /instanceTypes\[0\]: found "m7i\.xlarge"; expected a type with local/,
    );
    const network = { existing: { privateSubnetIds: ["subnet-0000000a", "subnet-0000000b"] } };
    const { group } = await madeOf({ subnetIds: ["subnet-0000000c"] }, { network });
    assert.deepEqual(group["subnetIds"], ["subnet-0000000c"]);
    const zoned = await madeOf({ zones: ["eu-central-1b"] }, { network });
    assert.deepEqual(zoned.group["subnetIds"], ["subnet-0000000b"]);
    await assert.rejects(
      madeOf({ subnetIds: ["subnet-0000000f"] }, { network }),
      /subnetIds\[0\]: found subnet-0000000f in vpc-0b; expected a subnet of vpc-0a/,
    );
  });

  it("are rejected where AWS rejects them", () => {
    refuses({ zones: ["us-east-1a"] }, /more\.zones\[0\]: found "us-east-1a"; expected a zone of eu-central-1/);
    refuses({ zones: ["eu-central-1a", "eu-central-1a"] }, /zones\[1\]: .*each once/);
    refuses({ subnetIds: ["subnet-0000000a"] }, /subnetIds: .*the platform creates the subnets; choose zones/);
    refuses({ amiId: AMI, ami: "latest" }, /more\.ami: .*amiId names the image/);
    refuses({ amiId: AMI, version: "1.34" }, /more\.version: .*kubelet of its own/);
    refuses({ fips: true }, /more\.fips: found true with os al2023; expected os: bottlerocket/);
    refuses(
      { capacityReservationIds: ["cr-0000000a", "cr-0000000b"] },
      /capacityReservationIds: found 2 .*one, as a launch template/,
    );
    refuses(
      { capacity: "spot", capacityReservationIds: ["cr-0000000a"] },
      /capacityReservationIds: .*capacity is spot/,
    );
    refuses(
      { ...BLOCK, capacityReservationIds: undefined },
      /capacityReservationIds: found nothing; expected the id of the Capacity Block/,
    );
    refuses({ ...BLOCK, zones: undefined }, /more\.zones: found several zones; expected the one zone/);
    refuses({ ...BLOCK, instanceTypes: ["p5.48xlarge", "p5e.48xlarge"] }, /instanceTypes: found 2 types/);
    refuses({ ...BLOCK, min: 1 }, /more\.desired: found 1; expected 0/);
    refuses({ ...TRAINING, zones: undefined }, /more\.zones: .*a cluster placement group is in one zone/);
    refuses({ ...TRAINING, placement: undefined }, /more\.placement: found "nothing"; expected cluster/);
    refuses({ placement: "spread", max: 22 }, /more\.max: found 22; expected at most 21/);
    refuses(
      { placement: "cluster", zones: ["eu-central-1a"], instanceTypes: ["t3.large"] },
      /instanceTypes\[0\]: .*placement groups take/,
    );
    const claimed = (nodes: string, more: object, pattern: RegExp) => {
      const nodePools = { general: { instanceTypes: ["m7i.xlarge"], max: 5, ...more } };
      const faults = faultsOf({ nodes, nodePools }).filter((fault) => fault.startsWith("cluster."));
      assert.ok(faults.length === 1 && pattern.test(faults[0] ?? ""), faults.join("\n"));
    };
    claimed("karpenter", TRAINING, /efa: found true; expected nothing, because Karpenter attaches/);
    const inAuto = (more: object, pattern: RegExp) => claimed("auto", more, pattern);
    inAuto({ amiId: AMI }, /amiId: .*EKS Auto Mode chooses images/);
    inAuto({ fips: true }, /fips: .*a region in the USA or Canada/);
    inAuto({ localStorage: "RAID0" }, /localStorage: .*uses local disks by itself/);
    inAuto({ placement: "spread" }, /placement: .*has no placement groups/);
  });
});
