import assert from "node:assert/strict";
import fc from "fast-check";
import { ADDONS, addonValues } from "../../../components/eks/addons";
import { canonicalJson } from "../../../foundation/json/canonicalJson";
import { kubeconfigOf } from "../../../components/eks/kubeconfig";
import { refusals, runningCluster } from "../../../components/eks/changes";
import { cidrText, overlap, parseCidr, type Range } from "../../../foundation/net/cidr";
import { planSubnets, subnetTags } from "../../../components/eks/network/plan";
import { instanceType } from "../../../components/cluster/nodePool/instanceType";
import * as plan from "../../../components/cluster/nodePool/plan";
import { readKubeconfig } from "../../../components/cluster/access/kubeconfig";
import { filesOf } from "../config/fixtures";

const range = (text: string): Range => parseCidr(text) ?? assert.fail(text);

describe("address ranges", () => {
  it("are parsed and written, and rejected if they are invalid", () => {
    for (const text of ["10.20.0.0/16", "0.0.0.0/0", "192.168.1.4/32"]) assert.equal(cidrText(range(text)), text);
    for (const wrong of ["10.20.0.0", "10.20.0.1/16", "10.300.0.0/16", "10.20.0.0/33", "::/0", ""]) {
      assert.equal(parseCidr(wrong), undefined, wrong);
    }
  });

  it("overlap if one contains the other", () => {
    assert.ok(overlap(range("10.0.0.0/8"), range("10.1.0.0/16")));
    assert.ok(overlap(range("10.1.0.0/16"), range("10.0.0.0/8")));
    assert.ok(!overlap(range("10.0.0.0/16"), range("10.1.0.0/16")));
    assert.ok(overlap(range("192.168.0.0/24"), range("0.0.0.0/0")));
  });
});

describe("the subnets of a VPC", () => {
  it("are a quarter of the VPC if private, and a sixteenth if public", () => {
    assert.deepEqual(
      planSubnets("10.0.0.0/16", 2).map(({ key, cidr }) => [key, cidr]),
      [
        ["private-0", "10.0.0.0/18"],
        ["private-1", "10.0.64.0/18"],
        ["public-0", "10.0.192.0/20"],
        ["public-1", "10.0.208.0/20"],
      ],
    );
  });

  it("lie in the VPC, never overlap, and keep their ranges when a zone is added", () => {
    fc.assert(
      fc.property(fc.integer({ min: 16, max: 24 }), fc.integer({ min: 0, max: 255 }), (bits, second) => {
        const cidr = cidrText({ start: (10 * 256 + second) * 65536, bits });
        const [two, three] = [planSubnets(cidr, 2), planSubnets(cidr, 3)];
        const ranges = three.map((subnet) => range(subnet.cidr));
        for (const [index, one] of ranges.entries()) {
          assert.ok(overlap(one, range(cidr)) && one.bits > bits && one.bits <= 28);
          for (const other of ranges.slice(0, index)) assert.ok(!overlap(one, other));
        }
        for (const { key, cidr: was } of two) assert.equal(three.find((subnet) => subnet.key === key)?.cidr, was);
      }),
    );
  });

  it("have the tags that load balancers look for", () => {
    assert.equal(subnetTags("public", "acme")["kubernetes.io/role/elb"], "1");
    assert.equal(subnetTags("private", "acme")["kubernetes.io/role/internal-elb"], "1");
  });
});

describe("the name of an instance type", () => {
  const cases: [string, string, "gpu" | "neuron" | undefined][] = [
    ["m7i.xlarge", "x86_64", undefined],
    ["m7g.large", "arm64", undefined],
    ["c7gn.4xlarge", "arm64", undefined],
    ["a1.medium", "arm64", undefined],
    ["t3a.medium", "x86_64", undefined],
    ["r7iz.metal-16xl", "x86_64", undefined],
    ["u7i-12tb.224xlarge", "x86_64", undefined],
    ["u-6tb1.metal", "x86_64", undefined],
    ["u-24tb1.112xlarge", "x86_64", undefined],
    ["p6-b200.48xlarge", "x86_64", "gpu"],
    ["p6e-gb200.36xlarge", "arm64", "gpu"],
    ["g5.xlarge", "x86_64", "gpu"],
    ["g5g.xlarge", "arm64", "gpu"],
    ["g4dn.xlarge", "x86_64", "gpu"],
    ["p5.48xlarge", "x86_64", "gpu"],
    ["inf2.xlarge", "x86_64", "neuron"],
    ["trn1.2xlarge", "x86_64", "neuron"],
  ];
  for (const [name, architecture, accelerator] of cases) {
    it(`reports that ${name} is ${architecture}${accelerator ? ` with ${accelerator}` : ""}`, () => {
      assert.deepEqual(instanceType(name), { architecture, ...(accelerator && { accelerator }) });
    });
  }

  it("is rejected for accelerators with other images, and for unknown types", () => {
    for (const name of [
      "inf1.xlarge",
      "vt1.3xlarge",
      "dl1.24xlarge",
      "m7i",
      "xlarge",
      "m7i.huge",
      "M7i.xlarge",
      "p2.xlarge",
      "g3s.xlarge",
      "g4ad.xlarge",
    ]) {
      assert.equal(instanceType(name), undefined, name);
    }
  });
});

describe("a node pool", () => {
  const pool = (more: Partial<plan.NodePoolConfig> = {}): plan.NodePoolConfig => ({
    instanceTypes: ["m7i.xlarge"],
    capacity: "onDemand",
    min: 0,
    max: 3,
    desired: 0,
    diskGb: 50,
    securityGroupIds: [],
    labels: {},
    taints: [],
    os: "al2023",
    perZone: false,
    maxUnavailablePercent: 25,
    forceUpdate: false,
    ...more,
  });
  const dedicated = { key: "dedicated", value: "ray", effect: "NoSchedule" } as const;

  it("has the image for its system, architecture and GPUs", () => {
    assert.equal(plan.amiType(pool()), "AL2023_x86_64_STANDARD");
    assert.equal(plan.amiType(pool({ instanceTypes: ["m7g.large"] })), "AL2023_ARM_64_STANDARD");
    assert.equal(plan.amiType(pool({ instanceTypes: ["g5.xlarge"] })), "AL2023_x86_64_NVIDIA");
    const arm = pool({ instanceTypes: ["g5g.xlarge"], os: "bottlerocket" });
    assert.equal(plan.amiType(arm), "BOTTLEROCKET_ARM_64_NVIDIA");
    assert.equal(plan.amiType(pool({ os: "bottlerocket" })), "BOTTLEROCKET_x86_64");
  });

  it("writes taints in the format of EKS, with or without a value", () => {
    assert.deepEqual(plan.awsTaint(dedicated), { key: "dedicated", value: "ray", effect: "NO_SCHEDULE" });
    const preferred = plan.awsTaint({ key: "k", effect: "PreferNoSchedule" });
    assert.deepEqual(preferred, { key: "k", effect: "PREFER_NO_SCHEDULE" });
    assert.deepEqual(plan.awsTaint({ key: "k", effect: "NoExecute" }), { key: "k", effect: "NO_EXECUTE" });
  });

  it("describes its nodes in tags for the autoscaler", () => {
    const taints = [dedicated, { key: "k", effect: "NoExecute" }] as const;
    const template = "k8s.io/cluster-autoscaler/node-template";
    assert.deepEqual(plan.autoscalingTags("acme", "ray", pool({ taints, labels: { a: "b" } })), {
      "k8s.io/cluster-autoscaler/enabled": "true",
      "k8s.io/cluster-autoscaler/acme": "owned",
      [`${template}/label/stackyard.dev/node-pool`]: "ray",
      [`${template}/label/dedicated`]: "ray",
      [`${template}/label/a`]: "b",
      [`${template}/taint/dedicated`]: "ray:NoSchedule",
      [`${template}/taint/k`]: ":NoExecute",
      [`${template}/resources/ephemeral-storage`]: "50Gi",
    });
  });

  it("has its scale-down options in tags for the autoscaler", () => {
    const options = "k8s.io/cluster-autoscaler/node-template/autoscaling-options";
    const tagsOf = (scaleDown: plan.NodePoolConfig["scaleDown"]) =>
      Object.entries(plan.autoscalingTags("acme", "ray", pool({ scaleDown }))).filter(([key]) =>
        key.startsWith(options),
      );
    assert.deepEqual(tagsOf({}), []);
    assert.deepEqual(tagsOf({ utilizationThreshold: 0.42, unneededFor: "1h" }), [
      [`${options}/scaledownutilizationthreshold`, "0.42"],
      [`${options}/scaledownunneededtime`, "1h"],
    ]);
    assert.deepEqual(tagsOf({ gpuUtilizationThreshold: 1, unreadyFor: "20m" }), [
      [`${options}/scaledowngpuutilizationthreshold`, "1"],
      [`${options}/scaledownunreadytime`, "20m"],
    ]);
  });

  it("labels GPU nodes, so that the autoscaler does not add too many", () => {
    const labels = plan.nodeLabels("gpu", pool({ instanceTypes: ["g5.xlarge"] }));
    assert.equal(labels["k8s.amazonaws.com/accelerator"], "g5");
  });

  it("has unique group names with room for the suffix of AWS", () => {
    const long = (name: string) => plan.groupPrefix("c".repeat(80), name, 1);
    assert.ok(long("a").length + 26 <= 63);
    assert.notEqual(long("a"), long("b"));
    assert.equal(plan.groupPrefix("acme", "general", undefined), "acme-general-");
  });
});

describe("add-ons", () => {
  it("are installed before the nodes if pods cannot start without them", () => {
    const before = ADDONS.filter(({ when }) => when === "beforeNodes").map(({ name }) => name);
    assert.deepEqual(before, ["vpc-cni", "kube-proxy", "eks-pod-identity-agent"]);
  });

  it("merge the user's values over those of the platform", () => {
    const cni = ADDONS.find(({ name }) => name === "vpc-cni") ?? assert.fail();
    const own = '"enableNetworkPolicy":"true","env":{"ENABLE_PREFIX_DELEGATION":"true"';
    assert.equal(addonValues(cni, undefined), `{${own},"WARM_PREFIX_TARGET":"1"}}`);
    assert.equal(addonValues(cni, { env: { WARM_PREFIX_TARGET: "4" } }), `{${own},"WARM_PREFIX_TARGET":"4"}}`);
    assert.equal(addonValues({ name: "coredns", when: "afterNodes" }, undefined), undefined);
    assert.equal(addonValues({ name: "coredns", when: "afterNodes" }, { replicaCount: 3 }), '{"replicaCount":3}');
  });

  it("have the same text for the same configuration", () => {
    const text = canonicalJson({ b: { d: 1, c: undefined }, a: [1, { z: 1, y: 2 }] });
    assert.equal(text, '{"a":[1,{"y":2,"z":1}],"b":{"d":1}}');
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        assert.equal(canonicalJson(Object.fromEntries(Object.entries(value).reverse())), canonicalJson(value));
      }),
    );
  });
});

describe("a change of an existing cluster", () => {
  const wanted = {
    type: "eks",
    name: "acme",
    region: "eu-central-1",
    version: "1.35",
    network: { serviceCidr: "172.20.0.0/16", make: { cidr: "10.0.0.0/16", zones: 3, nat: "single", routes: {} } },
    roles: {},
    nodes: "managed",
    access: { authenticationMode: "API" },
    imports: [],
  } as const;
  const keyArn = "arn:aws:kms:eu-central-1:123456789012:key/1";
  const resources = [
    {
      type: "aws:eks/cluster:Cluster",
      outputs: {
        name: "acme",
        arn: "arn:aws:eks:eu-central-1:123456789012:cluster/acme",
        version: "1.35",
        roleArn: "arn:aws:iam::123456789012:role/acme-control-plane",
        kubernetesNetworkConfig: { serviceIpv4Cidr: "172.20.0.0/16" },
        encryptionConfig: { provider: { keyArn } },
      },
    },
    { type: "aws:ec2/vpc:Vpc", outputs: { cidrBlock: "10.0.0.0/16" } },
    { type: "aws:kms/key:Key", outputs: { arn: keyArn } },
  ];
  const running = runningCluster(resources) ?? assert.fail("none found");
  const reported = (change: object, was = running): string => refusals(was, { ...wanted, ...change }).join("\n");

  it("is accepted if there is no cluster or nothing changed", () => {
    assert.equal(runningCluster([]), undefined);
    assert.equal(reported({}), "");
  });

  it("changes Kubernetes by one minor at a time, up or down", () => {
    assert.equal(reported({ version: "1.36" }), "");
    assert.match(
      reported({ version: "1.37" }),
      /cluster\.version: found "1\.37", and the cluster runs 1\.35; expected 1\.36 first/,
    );
    assert.equal(reported({ version: "1.34" }), "");
    assert.match(reported({ version: "1.33" }), /expected 1\.35 or more, or 1\.34: EKS rolls back one minor version$/);
  });

  it("is rejected for settings that AWS fixes, with the field, the old value and the new value", () => {
    assert.match(
      reported({ name: "other" }),
      /^stackyard:cluster\.name: found "other", and the cluster was made with "acme"; expected "acme": it can't be changed later\. For/,
    );
    assert.match(reported({ region: "eu-west-1" }), /cluster\.region: found "eu-west-1", .* with "eu-central-1"/);
    const { make } = wanted.network;
    assert.match(reported({ network: { serviceCidr: "10.100.0.0/16", make } }), /network\.serviceCidr: found "10\.100/);
    const other = { serviceCidr: "172.20.0.0/16", make: { ...make, cidr: "10.9.0.0/16" } };
    assert.match(reported({ network: other }), /network\.cidr: found "10\.9\.0\.0\/16"/);
  });

  it("keeps the number of zones", () => {
    const subnets = ["a", "b", "c"].flatMap((zone) =>
      [1, 2].map(() => ({ type: "aws:ec2/subnet:Subnet", outputs: { availabilityZone: `eu-central-1${zone}` } })),
    );
    const was = runningCluster([...resources, ...subnets]);
    assert.equal(reported({}, was), "");
    const make = { ...wanted.network.make, zones: 2 };
    const fewer = reported({ network: { ...wanted.network, make } }, was);
    assert.match(fewer, /network\.zones: found 2, and the cluster was created in 3 zones; expected 3: EKS keeps/);
  });

  it("cannot switch between a VPC of the platform and an existing one", () => {
    const existing = {
      serviceCidr: "172.20.0.0/16",
      existing: { privateSubnetIds: ["subnet-0000000a", "subnet-0000000b"] },
    };
    assert.match(reported({ network: existing }), /network\.cidr: found nothing, and .* with "10\.0\.0\.0\/16"/);
    const elsewhere = runningCluster(resources.filter(({ type }) => !type.endsWith(":Vpc")));
    assert.equal(reported({ network: existing }, elsewhere), "");
    assert.match(reported({}, elsewhere), /network\.cidr: found "10\.0\.0\.0\/16", and .* with nothing/);
  });

  it("must keep the encryption key of secrets", () => {
    assert.match(
      reported({ kmsKey: "arn:aws:kms:eu-central-1:123456789012:key/2" }),
      /kmsKey: found ".*key\/2", .* with nothing/,
    );
    const theirs = runningCluster(resources.filter(({ type }) => !type.endsWith(":Key")));
    assert.equal(reported({ kmsKey: keyArn }, theirs), "");
    assert.match(reported({}, theirs), /kmsKey: found nothing, and .* with ".*key\/1"/);
  });

  it("must keep the prefix of roles, because a new control plane role would replace the cluster", () => {
    assert.equal(reported({ roles: { prefix: "acme" } }), "");
    assert.match(
      reported({ roles: { prefix: "other" } }),
      /roles\.prefix: found "other", and the cluster runs with the role acme-control-plane; expected "acme": .* replace/,
    );
    const foreign = "arn:aws:iam::123456789012:role/made-by-hand";
    assert.match(reported({}, { ...running, role: foreign }), /expected the prefix that it was created with/);
  });

  it("keeps the type with which it was made, because the cluster would be replaced", () => {
    assert.match(
      reported({ type: "pulumiEks" }),
      /cluster\.type: found "pulumiEks", and the cluster was made with "eks"; expected "eks"/,
    );
    const made = runningCluster([...resources, { type: "eks:index:Cluster", outputs: {} }]);
    assert.equal(reported({ type: "pulumiEks" }, made), "");
    assert.match(reported({}, made), /cluster\.type: found "eks", and the cluster was made with "pulumiEks"/);
  });

  it("never goes back from access entries to the ConfigMap", () => {
    const [cluster, ...others] = resources;
    const was = (authenticationMode: string) =>
      runningCluster([
        { ...cluster!, outputs: { ...cluster!.outputs, accessConfig: { authenticationMode } } },
        ...others,
      ]);
    const access = { authenticationMode: "API_AND_CONFIG_MAP" };
    assert.match(
      reported({ access }, was("API")),
      /authenticationMode: found "API_AND_CONFIG_MAP", and the cluster uses API; expected API/,
    );
    assert.equal(reported({ access }, was("CONFIG_MAP")), "");
    assert.equal(reported({}, was("API_AND_CONFIG_MAP")), "");
  });

  it("may have an imported role of any name", () => {
    const role = "arn:aws:iam::123456789012:role/made-by-hand";
    const imports = [
      { type: "aws:iam/role:Role", name: "control-plane-role", id: "made-by-hand", keep: [], retain: true },
    ];
    assert.equal(reported({ imports }, { ...running, role }), "");
  });

  it("may switch between node groups and Karpenter, but not to or from EKS Auto Mode", () => {
    assert.equal(reported({ nodes: "karpenter" }), "");
    assert.match(
      reported({ nodes: "auto" }),
      /cluster\.nodes: found "auto", .* is none of EKS Auto Mode; expected managed or/,
    );
    const [cluster, ...others] = resources;
    const auto = { ...cluster!, outputs: { ...cluster!.outputs, computeConfig: { enabled: true } } };
    const was = runningCluster([auto, ...others]);
    assert.equal(reported({ nodes: "auto" }, was), "");
    assert.match(reported({ nodes: "managed" }, was), /found "managed", .* is one of EKS Auto Mode; expected auto/);
  });

  it("reports all faults at once", () => {
    assert.equal(refusals(running, { ...wanted, name: "b", version: "1.38" }).length, 2);
  });
});

describe("the kubeconfig of an EKS cluster", () => {
  it("is complete, and gets a token from the aws CLI", () => {
    const server = "https://x.eks.amazonaws.com";
    const text = kubeconfigOf({ name: "acme", region: "eu-central-1", server, authority: "Q0E=" });
    const access = readKubeconfig({ text }, filesOf({}));
    assert.ok(!("fault" in access), JSON.stringify(access));
    assert.equal(access.server, server);
    assert.equal(access.context, "acme");
  });
});
