import assert from "node:assert/strict";
import { AUTO_CLASS, AUTO_INGRESS, autoClassManifest } from "../../../components/eks/autoMode/autoMode";
import { claimedPools, nodeGroups } from "../../../components/cluster/nodePool/pools";
import {
  ec2ClassManifest,
  EC2_CLASS,
  imageAlias,
  nodePoolManifest,
  nodePoolManifests,
} from "../../../components/cluster/onEks/nodePoolManifests";
import { karpenterStatements } from "../../../components/karpenter/permissions";
import { withSteadyPools } from "../../../components/cluster/nodePool/placedPods";
import { placedPods } from "../../../components/platform/facts";
import { karpenterValues } from "../../../components/karpenter/values";
import type { PlatformConfig } from "../../../components/platform/config/platformConfig";
import { decodeConfig } from "../../../components/platform/config/decodeConfig";
import { vcpusOf } from "../../../components/cluster/nodePool/instanceType";
import { renderDocument, INLINE_LIMIT } from "../../../components/cluster/serviceAccountRole/document";
import { ConfigError, renderPath } from "../../../foundation/schema/faults";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { schemaFaults } from "../../../provider/resources/bundleRelease/preview";
import { AUTO_KINDS } from "../../doubles/autoMode/kinds";
import { filesOf } from "../config/fixtures";
import { EKS } from "./config.test";

const general = { instanceTypes: ["m7i.xlarge", "m7a.xlarge"], max: 5 };
const cluster = { ...EKS, nodes: "karpenter", nodePools: { general } };
const provisioners = {
  eu: { type: "kubernetes", spec: { namespace: "runtimes", host: "https://*.example.com", image: "example/runtime" } },
};
const SERVED = { ingress: { existing: ["nginx"] } };
const decode = (of: object, more: object = SERVED): PlatformConfig =>
  decodeConfig({ values: { cluster: of, provisioners, defaultProvisioner: "eu", ...more } }, filesOf({}));

function faultsOf(of: object, more: object = SERVED): string {
  try {
    decode(of, more);
    return "";
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error.faults.map(({ path, message }) => `${renderPath(path)}: ${message}`).join("\n");
  }
}

const eksOf = (of: object) => {
  const { cluster: found } = decode(of);
  assert.equal(found?.type, "eks");
  return found.eks;
};
const withPool = (pool: object, nodes = "karpenter") => ({
  ...cluster,
  nodes,
  nodePools: { general, more: { ...general, ...pool } },
});

describe("the node management of an EKS cluster", () => {
  it("uses node groups, Karpenter on a group of its own, or EKS itself", () => {
    const names = (of: object) =>
      [nodeGroups(eksOf(of)), claimedPools(eksOf(of))].map((pools) => Object.keys(pools).sort());
    assert.deepEqual(names(EKS), [["autoscaler", "general"], []]);
    assert.deepEqual(names(cluster), [["karpenter"], ["general"]]);
    assert.deepEqual(names({ ...cluster, nodes: "auto" }), [[], ["general"]]);
    const own = { ...cluster, nodePools: { general, karpenter: { ...general, min: 3 } } };
    assert.equal(nodeGroups(eksOf(own))["karpenter"]?.min, 3);
  });

  it("rejects settings of a pool that Karpenter does not support, each with its path", () => {
    for (const nodes of ["karpenter", "auto"]) {
      assert.match(
        faultsOf(withPool({ min: 1 }, nodes)),
        /nodePools\.more\.min: found 1; expected 0, because nodes come/,
      );
      assert.match(faultsOf(withPool({ desired: 2 }, nodes)), /more\.desired: found 2; expected nothing/);
      assert.match(faultsOf(withPool({ version: "1.34" }, nodes)), /more\.version: found "1\.34"; expected nothing/);
      assert.match(
        faultsOf(withPool({ scaleDown: { utilizationThreshold: 0.5 } }, nodes)),
        /scaleDown\.utilizationThreshold: found 0\.5; expected nothing, .* takes unneededFor/,
      );
      assert.match(faultsOf(withPool({ labels: { "karpenter.sh/x": "y" } }, nodes)), /labels.*expected another key/);
      assert.match(
        faultsOf(withPool({ taints: ["dedicated=clusterAutoscaler:NoSchedule"], min: 1 }, nodes)),
        /more\.taints: found the taint of the cluster-autoscaler's pool/,
      );
      const both = faultsOf({ ...cluster, nodes }, { ...SERVED, clusterAutoscaler: { enabled: true } });
      assert.match(both, /^clusterAutoscaler: found settings; expected nothing, or enabled: false/);
    }
    const spot = { ...cluster, nodePools: { general, karpenter: { ...general, capacity: "spot" } } };
    assert.match(faultsOf(spot), /karpenter\.capacity: .*\n?.*karpenter\.min: found 0/);
    assert.match(faultsOf({ ...EKS, karpenter: {} }), /cluster\.karpenter: found settings; expected nothing/);
  });

  it("omits with EKS Auto Mode the parts that it includes, and rejects their settings", () => {
    const auto = { ...cluster, nodes: "auto" };
    assert.match(faultsOf({ ...auto, ami: "latest" }), /cluster\.ami: found "latest"/);
    assert.match(faultsOf({ ...auto, cniRights: "podIdentity" }), /cniRights: found/);
    assert.match(
      faultsOf({ ...auto, addonVersions: { coredns: "v1.2.3-eksbuild.1" } }),
      /addonVersions\.coredns: found/,
    );
    assert.match(faultsOf(withPool({ diskGb: 20 }, "auto")), /more\.diskGb: found 20; expected at least 30/);
    assert.match(
      faultsOf(withPool({ instanceTypes: ["t3.small", "m7i.large"] }, "auto")),
      /more\.instanceTypes\[0\]: found "t3\.small"; expected a type of at least two CPUs/,
    );
    assert.match(faultsOf(withPool({ instanceTypes: ["m7g.medium"] }, "auto")), /more\.instanceTypes\[0\]: found "m7g/);
    assert.match(
      faultsOf({ ...auto, nodePools: { general, default: general } }),
      /nodePools\.default: found a pool; expected another name, because EKS has a NodeClass of this one/,
    );
    assert.match(faultsOf(auto, { gpuDevicePlugin: { enabled: true } }), /gpuDevicePlugin: .*in its image/);
    for (const part of ["nginx", "awsLoadBalancerController"]) {
      assert.match(
        faultsOf(auto, { ingress: { [part]: {} } }),
        new RegExp(`ingress\\.${part}: .*serves the class alb`),
      );
    }
    // The class nginx of the built-in templates is served by nothing.
    assert.match(faultsOf(auto, {}), /provisioners\.eu\.spec: found .*class nginx; expected .*; alb is served/);
    assert.equal(faultsOf(auto), "");
  });
});

describe("a NodePool of Karpenter", () => {
  const pool = claimedPools(
    eksOf(withPool({ taints: ["dedicated=ray:NoSchedule"], toleratedBy: "Ray", perZone: true })),
  );
  const known = {
    roleName: "acme-nodes",
    subnetIds: ["subnet-0000000a", "subnet-0000000b"],
    securityGroupId: "sg-0000000a",
    images: {},
  };

  it("has the types, capacity, labels, taints and limits of its pool", () => {
    const { spec, metadata } = nodePoolManifest("more", pool["more"]!, 3, EC2_CLASS) as {
      metadata: object;
      spec: {
        template: { metadata: { labels: object }; spec: Record<string, unknown> };
        limits: object;
        disruption: object;
      };
    };
    assert.deepEqual(metadata, { name: "more" });
    assert.deepEqual(spec.template.metadata.labels, { "stackyard.dev/node-pool": "more", dedicated: "ray" });
    assert.deepEqual(spec.template.spec["taints"], [{ key: "dedicated", value: "ray", effect: "NoSchedule" }]);
    assert.deepEqual(spec.template.spec["nodeClassRef"], {
      group: "karpenter.k8s.aws",
      kind: "EC2NodeClass",
      name: "more",
    });
    const requirements = spec.template.spec["requirements"] as { key: string; values: string[] }[];
    assert.deepEqual(
      requirements.map(({ values }) => values.join()),
      ["m7i.xlarge,m7a.xlarge", "on-demand", "amd64", "linux"],
    );
    // Five in each of three zones.
    assert.deepEqual(spec.limits, { nodes: "15", cpu: "60" });
    const metal = nodePoolManifest("more", { ...pool["more"]!, instanceTypes: ["m7i.metal"] }, 3, EC2_CLASS);
    assert.deepEqual((metal["spec"] as { limits: object }).limits, { nodes: "15" });
    assert.deepEqual(spec.disruption, {
      consolidationPolicy: "WhenEmptyOrUnderutilized",
      consolidateAfter: "10m",
      budgets: [{ nodes: "25%" }],
    });
    assert.equal(spec.template.spec["terminationGracePeriod"], undefined);
  });

  it("omits with EKS Auto Mode the label of the operating system, which is not supported", () => {
    const { spec } = nodePoolManifest("more", pool["more"]!, 3, AUTO_CLASS) as {
      spec: { template: { spec: { requirements: { key: string }[] } } };
    };
    assert.deepEqual(
      spec.template.spec.requirements.map(({ key }) => key),
      ["node.kubernetes.io/instance-type", "karpenter.sh/capacity-type", "kubernetes.io/arch"],
    );
  });

  it("has with EKS Auto Mode only documented fields", () => {
    const faults = schemaFaults(AUTO_KINDS as unknown as KubeObject[]);
    const key = "arn:aws:kms:eu-central-1:123456789012:key/0a1b2c3d-0000-4000-8000-000000000000";
    const one = { ...pool["more"]!, diskKey: key, securityGroupIds: ["sg-0000000b"], forceUpdate: true };
    const objects = [
      autoClassManifest("more", one, known),
      nodePoolManifest("more", one, 3, AUTO_CLASS),
      ...AUTO_INGRESS,
    ];
    for (const object of objects) assert.deepEqual(faults(object as unknown as KubeObject), []);
    const [nodeClass] = objects as unknown as [KubeObject & { spec: object }];
    assert.match(faults({ ...nodeClass, spec: { ...nodeClass.spec, userData: "x" } }).join(), /spec.*userData/);
  });

  it("creates nodes as secure as those of a node group", () => {
    const { spec } = ec2ClassManifest("more", pool["more"]!, known, { tags: { team: "data" }, minor: "1.35" }) as {
      spec: Record<string, unknown>;
    };
    assert.equal(spec["role"], "acme-nodes");
    assert.deepEqual(spec["subnetSelectorTerms"], [{ id: "subnet-0000000a" }, { id: "subnet-0000000b" }]);
    assert.deepEqual(spec["securityGroupSelectorTerms"], [{ id: "sg-0000000a" }]);
    const { httpTokens, httpPutResponseHopLimit } = spec["metadataOptions"] as Record<string, unknown>;
    assert.deepEqual([httpTokens, httpPutResponseHopLimit], ["required", 1]);
    assert.match(JSON.stringify(spec["blockDeviceMappings"]), /"volumeSize":"50Gi","encrypted":true/);
    assert.deepEqual(spec["amiSelectorTerms"], [{ alias: "al2023@latest" }]);
    const auto = autoClassManifest("more", pool["more"]!, known) as { spec: Record<string, unknown> };
    assert.deepEqual(auto.spec["ephemeralStorage"], { size: "50Gi" });
  });

  it("keeps nodes with a Ray head or a Teraslice master until they are empty", () => {
    const policies = (more: object): Record<string, string> => {
      const pools = { general, ray: { ...general, taints: ["dedicated=ray:NoSchedule"], toleratedBy: "Ray" } };
      const config = decode({ ...cluster, nodePools: pools }, { ...SERVED, ...more });
      assert.ok(config.cluster?.type === "eks");
      const manifests = nodePoolManifests(withSteadyPools(config.cluster.eks, placedPods(config)), EC2_CLASS) as {
        metadata: { name: string };
        spec: { disruption: { consolidationPolicy: string } };
      }[];
      return Object.fromEntries(
        manifests.map(({ metadata, spec }) => [metadata.name, spec.disruption.consolidationPolicy]),
      );
    };
    const usual = { general: "WhenEmptyOrUnderutilized", ray: "WhenEmptyOrUnderutilized" };
    assert.deepEqual(policies({}), usual);
    assert.deepEqual(policies({ ray: { one: { mode: "static" } } }), { ...usual, ray: "WhenEmpty" });
    const image = "example/teraslice:3";
    const connectors = { "elasticsearch-next": { default: { node: ["http://search:9200"] } } };
    const teraslice = { image, terafoundation: { connectors } };
    assert.deepEqual(policies({ teraslice }), { ...usual, general: "WhenEmpty" });
    assert.deepEqual(policies({ teraslice: { ...teraslice, master: { evictable: true } } }), usual);
  });

  it("derives the CPUs of instance types from their sizes", () => {
    const types = ["t3.medium", "m7g.medium", "m7i.large", "m7i.xlarge", "g5.12xlarge", "m7i.metal-24xl", "c5.metal"];
    assert.deepEqual(types.map(vcpusOf), [2, 1, 2, 4, 48, 96, undefined]);
  });

  it("uses the image of a release", () => {
    assert.equal(imageAlias("al2023", "1.35.2-20260715"), "al2023@v20260715");
    assert.equal(imageAlias("bottlerocket", "1.50.0-1a2b3c4d"), "bottlerocket@v1.50.0");
    assert.equal(imageAlias("bottlerocket", undefined), "bottlerocket@latest");
  });
});

describe("the permissions of Karpenter", () => {
  const statements = karpenterStatements({
    clusterArn: "arn:aws:eks:eu-central-1:123456789012:cluster/acme",
    nodeRoleArn: "arn:aws:iam::123456789012:role/acme-nodes",
    queueArn: "arn:aws:sqs:eu-central-1:123456789012:acme-karpenter",
  });

  it("fit into a role, and are limited to the cluster's tags, one role and one queue", () => {
    const text = renderDocument(statements, INLINE_LIMIT);
    assert.doesNotMatch(text, /undefined/);
    const of = (action: string) => statements.filter(({ actions }) => actions.includes(action));
    const tagged = /(Request|Resource)Tag\/kubernetes\.io\/cluster\/acme":"owned"/;
    for (const action of [
      "ec2:TerminateInstances",
      "ec2:CreateTags",
      "iam:DeleteInstanceProfile",
      "ec2:CreateLaunchTemplate",
    ]) {
      assert.ok(of(action).length > 0, action);
      for (const { conditions } of of(action)) assert.match(JSON.stringify(conditions), tagged);
    }
    assert.deepEqual(
      of("iam:PassRole").map(({ resources }) => resources),
      [["arn:aws:iam::123456789012:role/acme-nodes"]],
    );
    assert.deepEqual(of("sqs:ReceiveMessage")[0]?.resources, ["arn:aws:sqs:eu-central-1:123456789012:acme-karpenter"]);
  });

  it("come with values that run Karpenter on its own node group", () => {
    const settings = {
      replicas: 2,
      cpu: 0.5,
      memoryMb: 1024,
      timeoutSeconds: 300,
      imageValues: {},
      values: { logLevel: "debug" },
    };
    const values = karpenterValues(settings, {
      name: "acme",
      region: "eu-central-1",
      queueName: "q",
      roleArn: "arn:aws:iam::1:role/k",
    });
    assert.deepEqual(values["nodeSelector"], { "kubernetes.io/os": "linux", "stackyard.dev/node-pool": "karpenter" });
    assert.deepEqual(values["settings"], { clusterName: "acme", interruptionQueue: "q", eksControlPlane: true });
    assert.equal(values["logLevel"], "debug");
  });
});
