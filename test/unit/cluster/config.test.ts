import assert from "node:assert/strict";
import { Region } from "@pulumi/aws/types/enums";
import fc from "fast-check";
import type { EksConfig } from "../../../components/cluster/onEks/eksConfig";
import { planSubnets } from "../../../components/eks/network/plan";
import { decodeConfig } from "../../../components/platform/config/decodeConfig";
import { REGIONS } from "../../../components/cluster/onEks/regions";
import { ConfigError, renderPath } from "../../../foundation/schema/faults";
import { filesOf } from "../config/fixtures";

export const EKS = {
  type: "eks",
  name: "acme",
  region: "eu-central-1",
  version: "1.35",
  access: { admins: { ci: "arn:aws:iam::123456789012:role/ci" } },
  nodePools: { general: { instanceTypes: ["m7i.xlarge"], min: 2, max: 5 } },
};
const provisioners = {
  eu: { type: "kubernetes", spec: { namespace: "runtimes", host: "https://*.example.com", image: "example/runtime" } },
};
const files = filesOf({
  "fine.json": '{"Statement":[{"Effect":"Allow","Action":"s3:GetObject","Resource":"arn:aws:s3:::b/*"}]}',
  "wild.json": '{"Statement":{"Effect":"Allow","Action":"s3:*","Resource":"arn:aws:s3:::b"}}',
  "others.json": '{"Statement":{"Effect":"Allow","NotAction":"iam:*","Resource":"arn:aws:s3:::b"}}',
  "reads.json": '{"Statement":{"Effect":"Allow","Action":"s3:Get*","Resource":"*"}}',
  "lists.json": '{"Statement":{"Effect":"Allow","Action":"s3:ListAllMyBuckets","Resource":"*"}}',
  "none.json": "{}",
});
const decode = (cluster: object, dataAccess: object = {}) =>
  decodeConfig({ values: { cluster, dataAccess, provisioners, defaultProvisioner: "eu" } }, files);

function faultsOf(cluster: object, dataAccess: object = {}): string[] {
  try {
    decode(cluster, dataAccess);
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error.faults.map(({ path, message }) => `${renderPath(path)}: ${message}`);
  }
  return [];
}

function eksOf(cluster: object): EksConfig {
  const { cluster: found } = decode(cluster);
  assert.equal(found?.type, "eks");
  return found.eks;
}

/** One fault that matches. */
function refuses(cluster: object, pattern: RegExp, dataAccess: object = {}): void {
  const faults = faultsOf(cluster, dataAccess);
  assert.equal(faults.length, 1, faults.join("\n"));
  assert.match(faults[0] ?? "", pattern);
}

const withPool = (pool: object) => ({
  ...EKS,
  nodePools: { ...EKS.nodePools, more: { instanceTypes: ["m7i.large"], max: 3, ...pool } },
});
const withNetwork = (network: object) => ({ ...EKS, network });

describe("Ray on an EKS cluster", () => {
  const taints = [{ key: "dedicated", value: "ray", effect: "NoSchedule" }];
  const withRay = (cluster: object, ray: object = { mode: "static" }) =>
    decodeConfig({ values: { cluster, ray: { one: ray }, provisioners, defaultProvisioner: "eu" } }, files);

  it("tolerates the taint of its pool", () => {
    assert.ok(withRay(withPool({ taints })).ray);
    refuses(withPool({ taints }), /so say in toleratedBy who$/);
    assert.ok(withRay(withPool({ taints: ["dedicated=ray:NoSchedule"] })).ray);
  });

  it("is rejected if the cluster does not have its pool", () => {
    assert.throws(
      () => withRay(EKS),
      /ray\.one\.pool: found nothing, which means ray; expected a node pool .*dedicated=ray/,
    );
    assert.throws(() => withRay(EKS, { mode: "static", pool: "general" }), /ray\.one\.pool: found "general"; expected/);
    assert.ok(withRay(EKS, { mode: "static", pool: "" }).ray);
    assert.ok(withRay(EKS, { mode: "static", enabled: false }));
  });
});

describe("the config of an EKS cluster", () => {
  it("requires a name, a region, a version and pools, and has defaults for the rest", () => {
    const { network, endpoint, nodePools, ...rest } = eksOf(EKS);
    assert.deepEqual(network, {
      serviceCidr: "172.20.0.0/16",
      make: { cidr: "10.0.0.0/16", zones: 3, nat: "perZone", routes: {} },
    });
    assert.deepEqual(endpoint, {
      private: true,
      publicCidrs: [],
      privateCidrs: [],
      privateSecurityGroupIds: [],
      securityGroupIds: [],
    });
    assert.equal(nodePools["general"]?.desired, 2);
    assert.equal(rest.deletionProtection, true);
    assert.equal(rest.logRetentionDays, 90);
    assert.equal(rest.identity, "irsa");
  });

  it("has a pool for the autoscaler, unless one is configured", () => {
    const { autoscaler } = eksOf(EKS).nodePools;
    assert.deepEqual(autoscaler?.taints, [{ key: "dedicated", value: "clusterAutoscaler", effect: "NoSchedule" }]);
    assert.equal(autoscaler.capacity, "onDemand");
    const named = withPool({ min: 1, taints: autoscaler.taints });
    assert.deepEqual(Object.keys(eksOf(named).nodePools), ["general", "more"]);
  });

  it("reports unknown keys with the nearest one", () => {
    refuses({ ...EKS, nodePool: {} }, /^cluster\.nodePool: found an unknown key; .*did you mean nodePools/);
  });

  it("rejects keys that could contradict other keys", () => {
    for (const key of ["authenticationMode", "roleMappings", "instanceRoles", "subnetIds", "autoMode"]) {
      refuses({ ...EKS, [key]: [] }, new RegExp(`^cluster\\.${key}: found an unknown key`));
    }
    for (const key of ["role", "roleArn", "amiType", "gpu", "launchTemplate", "kubeletExtraArgs"]) {
      refuses(withPool({ [key]: "x" }), new RegExp(`nodePools\\.more\\.${key}: found an unknown key`));
    }
    const endpoint = { public: false, publicCidrs: ["203.0.113.0/24"] };
    refuses({ ...EKS, endpoint }, /endpoint\.public: found an unknown key/);
  });

  it("accepts taints in the format of kubectl", () => {
    const [first, second, third] = ["dedicated=ray:NoSchedule", "spot:PreferNoSchedule", "empty=:NoExecute"];
    const { more } = eksOf(withPool({ taints: [first, second, third], toleratedBy: "us" })).nodePools;
    assert.deepEqual(more?.taints, [
      { key: "dedicated", value: "ray", effect: "NoSchedule" },
      { key: "spot", value: undefined, effect: "PreferNoSchedule" },
      { key: "empty", value: "", effect: "NoExecute" },
    ]);
    refuses(
      withPool({ taints: ["k=v:Bad"] }),
      /taints\[0\]: found "k=v:Bad"; expected .* such as dedicated=ray:NoSchedule/,
    );
    refuses(withPool({ taints: ["k=v"] }), /taints\[0\]: found "k=v"; expected .* such as dedicated=ray:NoSchedule/);
  });

  it("sets the scale-down of one pool in the format of the autoscaler", () => {
    const { more } = eksOf(withPool({ scaleDown: { utilizationThreshold: 0.42, unneededFor: "1h" } })).nodePools;
    assert.deepEqual(more?.scaleDown, { utilizationThreshold: 0.42, unneededFor: "1h" });
    refuses(
      withPool({ scaleDown: { utilizationThreshold: "a" } }),
      /utilizationThreshold: found "a"; expected a number/,
    );
    refuses(withPool({ scaleDown: { unneededFor: "" } }), /unneededFor: found ""; expected a duration/);
    refuses(withPool({ scaleDown: { unneeded: "1h" } }), /scaleDown\.unneeded: found an unknown key/);
  });

  it("knows the same regions as the AWS provider", () => {
    assert.deepEqual([...REGIONS].sort(), Object.values(Region).sort());
    refuses({ ...EKS, region: "eu-centrall-1" }, /region: found "eu-centrall-1"; .*did you mean eu-central-1/);
    refuses({ ...EKS, region: "zz-outerspace-1" }, /region: found "zz-outerspace-1"; .*there are .*eu-west-1/);
  });

  it("accepts values only for known add-ons", () => {
    assert.deepEqual(eksOf({ ...EKS, addonValues: { coredns: { replicaCount: 3 } } }).addonValues, {
      coredns: { replicaCount: 3 },
    });
    refuses({ ...EKS, addonValues: { "core-dns": {} } }, /addonValues/);
  });

  it("rejects ranges that overlap, are too small or are invalid", () => {
    refuses(withNetwork({ cidr: "172.20.0.0/16" }), /serviceCidr: .*does not overlap 172\.20\.0\.0\/16 \(cidr\)/);
    refuses(withNetwork({ reserved: ["10.0.128.0/20"] }), /reserved\[0\]: .*does not overlap 10\.0\.0\.0\/16 \(cidr\)/);
    refuses(withNetwork({ cidr: "10.0.0.0/23" }), /network\.cidr: .*\/16 to \/22/);
    refuses(withNetwork({ cidr: "10.0.0.1/16" }), /network\.cidr: found "10\.0\.0\.1\/16"; expected an IPv4 range/);
  });

  it("rejects a VPC that is both existing and to be created", () => {
    const existing = { privateSubnetIds: ["subnet-0000000a", "subnet-0000000b"], publicSubnetIds: [] };
    assert.deepEqual(eksOf(withNetwork({ existing })).network, { serviceCidr: "172.20.0.0/16", existing });
    refuses(withNetwork({ existing, zones: 2 }), /network\.zones: found 2; expected nothing, because the VPC exists/);
    refuses(withNetwork({ existing: { privateSubnetIds: ["subnet-0000000a"] } }), /at least two subnets/);
  });

  it("rejects an API server that is unreachable or open to the internet", () => {
    refuses({ ...EKS, endpoint: { private: false } }, /endpoint\.private: .*a way to the API server/);
    refuses({ ...EKS, endpoint: { publicCidrs: ["0.0.0.0/0"] } }, /publicCidrs\[0\]: .*the whole internet/);
    refuses({ ...EKS, endpoint: { publicCidrs: ["10.1.0.0/16"] } }, /publicCidrs\[0\]: .*not routed on the internet/);
    refuses({ ...EKS, endpoint: { publicCidrs: ["203.0.113.0/24", "203.0.113.0/24"] } }, /\[1\]: .*each range once/);
    const many = Array.from({ length: 41 }, (_, index) => `203.0.${index}.0/24`);
    refuses({ ...EKS, endpoint: { publicCidrs: many } }, /publicCidrs: found 41 ranges; expected at most 40/);
  });

  it("rejects an API server that its own nodes cannot reach", () => {
    const endpoint = { private: false, publicCidrs: ["203.0.113.0/24"] };
    refuses({ ...EKS, endpoint }, /endpoint\.private: found false; expected true, because nodes join through/);
    const existing = { privateSubnetIds: ["subnet-0000000a", "subnet-0000000b"] };
    assert.deepEqual(faultsOf({ ...EKS, endpoint, network: { existing } }), []);
  });

  it("requires a principal with access, and rejects principals for which EKS has no entries", () => {
    refuses({ ...EKS, access: {} }, /access\.admins: found no principal; expected at least one principal/);
    assert.deepEqual(faultsOf({ ...EKS, access: { creatorIsAdmin: true } }), []);
    for (const arn of [
      "arn:aws:iam::123456789012:root",
      "arn:aws:iam::123456789012:group/admins",
      "arn:aws:iam::123456789012:role/*",
      "arn:aws:sts::123456789012:assumed-role/ci/session",
    ]) {
      refuses({ ...EKS, access: { admins: { ci: arn } } }, /admins\.ci: found .*expected the ARN of a role or a user/);
    }
  });

  it("rejects labels that kubelets cannot set or that the platform sets", () => {
    const label = (key: string, value = "x") => withPool({ labels: { [key]: value } });
    for (const key of ["kubernetes.io/role", "node-role.kubernetes.io/worker", "example.k8s.io/a"])
      refuses(label(key), /a kubelet may not set labels of/);
    refuses(label("eks.amazonaws.com/nodegroup"), /EKS sets those/);
    for (const key of ["dedicated", "stackyard.dev/node-pool"]) refuses(label(key), /the platform sets this one/);
    refuses(label("a".repeat(64)), /labels.*expected a label key/);
    refuses(label("a", "-"), /labels\.a: found "-"; expected a label value/);
    refuses(label(`${"example.".repeat(12)}com/name`), /characters shorter: as a tag for the autoscaler it has/);
    for (const key of ["kubernetes.io/hostname", "kubernetes.io/os", "topology.kubernetes.io/zone"])
      refuses(label(key), /Kubernetes sets this one, with the value of each node/);
    for (const key of ["node.kubernetes.io/lifecycle", "example.com/a", "plain"])
      assert.deepEqual(faultsOf(label(key)), []);
  });

  it("rejects ranges in which AWS has no VPCs or services", () => {
    for (const cidr of ["169.254.0.0/16", "127.0.0.0/16", "224.0.0.0/16", "0.0.0.0/16"])
      refuses(withNetwork({ cidr }), /network\.cidr: .*; expected a range outside of .*, where AWS has no VPCs/);
    for (const serviceCidr of ["8.8.0.0/20", "100.64.0.0/16", "198.18.0.0/16"])
      refuses(withNetwork({ serviceCidr }), /network\.serviceCidr: .*; expected a range in 10\.0\.0\.0\/8, 172\.16/);
    eksOf(withNetwork({ serviceCidr: "192.168.0.0/16" }));
  });

  it("rejects principals of other partitions, and the role of the nodes", () => {
    const admins = (arn: string) => ({ ...EKS, access: { admins: { ci: arn } } });
    refuses(admins("arn:aws-cn:iam::123456789012:role/ci"), /admins\.ci: .*; expected a principal of arn:aws, as eu-/);
    refuses(admins("arn:aws:iam::123456789012:role/acme-nodes"), /admins\.ci: .*; expected another principal/);
    eksOf({ ...admins("arn:aws-cn:iam::123456789012:role/ci"), region: "cn-north-1" });
  });

  it("rejects an alias in place of a key, because a policy that names one grants nothing", () => {
    const kmsKey = "arn:aws:kms:eu-central-1:123456789012:alias/acme";
    refuses({ ...EKS, kmsKey }, /kmsKey: .*; expected the ARN of a key itself/);
    refuses(withPool({ diskKey: kmsKey }), /diskKey: .*; expected the ARN of a key itself/);
  });

  it("rejects a role that Karpenter has, and more policies than a role takes", () => {
    const nodePools = { general: { instanceTypes: ["m7i.xlarge"], max: 5 } };
    const onKarpenter = { ...EKS, nodes: "karpenter", nodePools };
    const karpenter = { karpenter: { serviceAccounts: { jobs: ["x"] } } };
    refuses(onKarpenter, /dataAccess\.karpenter: found the role acme-karpenter; .*platform/, karpenter);
    eksOf(onKarpenter);
    const policy = "arn:aws:iam::123456789012:policy/own";
    const managedPolicies = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`p${index}`, policy]));
    const wildcardReason = "tested";
    const many = { jobs: { serviceAccounts: { jobs: ["x"] }, managedPolicies, wildcardReason } };
    refuses(EKS, /dataAccess\.jobs\.managedPolicies: found 21 policies; expected at most 20/, many);
  });

  it("rejects tags that AWS reserves, values that IAM does not take, and too many tags", () => {
    for (const value of ["a;b", "<a>", 'a"b'])
      refuses({ ...EKS, tags: { a: value } }, /tags\.a: .*; expected a tag value/);
    refuses({ ...EKS, tags: { "aws:cost": "x" } }, /tags\["aws:cost"\]: .*AWS' own/);
    refuses({ ...EKS, tags: { "eks:cluster-name": "x" } }, /tags\["eks:cluster-name"\]: .*EKS' own/);
    refuses({ ...EKS, tags: { Team: "x", team: "x" } }, /tags\.team: .*one of "Team" and "team", since IAM ignores/);
    for (const key of ["kubernetes.io/cluster/acme", "kubernetes.io/role/elb"])
      refuses({ ...EKS, tags: { [key]: "x" } }, /controllers find subnets and security groups by this one/);
    assert.deepEqual(faultsOf({ ...EKS, tags: { "karpenter.sh/discovery": "acme", Name: "acme" } }), []);
    const tags = Object.fromEntries(Array.from({ length: 48 }, (_, index) => [`t${index}`, "x"]));
    refuses({ ...EKS, tags }, /tags: found 48 tags; expected at most 47/);
  });

  it("rejects ARNs of another partition, wherever they are", () => {
    const china = { ...EKS, region: "cn-north-1", access: { creatorIsAdmin: true } };
    const bounds = (partition: string) => ({
      roles: { permissionsBoundary: `arn:${partition}:iam::123456789012:policy/b` },
    });
    refuses({ ...china, ...bounds("aws") }, /permissionsBoundary: .*expected an ARN that begins with arn:aws-cn:/);
    eksOf({ ...china, ...bounds("aws-cn") });
    const sovereign = { ...china, region: "eusc-de-east-1" };
    eksOf({ ...sovereign, ...bounds("aws-eusc") });
    const reading = (bucket: string) => ({ jobs: { serviceAccounts: { jobs: ["x"] }, buckets: [{ bucket }] } });
    const expected = /dataAccess\.jobs\.buckets\[0\]\.bucket: .*expected an ARN that begins with arn:aws:/;
    refuses(EKS, expected, reading("arn:aws-cn:s3:::acme-events"));
  });

  it("rejects roles whose names differ only in case, and service accounts that EKS creates", () => {
    const entry = (roleName: string, account: string) => ({ serviceAccounts: { jobs: [account] }, roleName });
    const two = { a: entry("Jobs", "x"), b: entry("jobs", "y") };
    refuses(EKS, /dataAccess\.b\.roleName: found the role jobs; .*that of dataAccess\.a/, two);
    const network = (accounts: string) => ({ cni: { serviceAccounts: { "kube-system": ["aws-node"] }, accounts } });
    refuses(EKS, /serviceAccounts\.kube-system\[0\]: found "aws-node"; .*accounts: annotate/, network("make"));
    assert.deepEqual(faultsOf(EKS, network("annotate")), []);
  });

  it("rejects a misspelled access policy, and takes one that it does not know", () => {
    const policies = (policy: string) => ({
      ...EKS,
      access: {
        ...EKS.access,
        entries: { ci: { principal: "arn:aws:iam::123456789012:role/dev", policies: [{ policy }] } },
      },
    });
    refuses(policies("AmazonEKSEditsPolicy"), /policies\[0\]\.policy: .*did you mean AmazonEKSEditPolicy/);
    refuses(policies("AmazonEKSVeiwPolicy"), /did you mean AmazonEKSViewPolicy/);
    for (const known of ["AmazonEKSAdminViewPolicy", "AmazonEKSHybridPolicy"])
      assert.deepEqual(faultsOf(policies(known)), []);
  });

  it("rejects the same type twice in a pool, and a disk that is smaller than the image", () => {
    refuses(withPool({ instanceTypes: ["m7i.large", "m7i.large"] }), /instanceTypes\[1\]: .*each type once/);
    refuses(withPool({ diskGb: 19 }), /diskGb: found 19; expected a whole number of GiB from 20/);
    assert.deepEqual(faultsOf(withPool({ diskGb: 20 })), []);
  });

  it("rejects a route to a part of the addresses of services", () => {
    const route = (cidr: string) =>
      withNetwork({ routes: { office: { cidr, transitGatewayId: "tgw-0123456789abcdef0" } } });
    for (const cidr of ["172.20.0.0/16", "172.20.64.0/20"])
      refuses(route(cidr), /routes\.office\.cidr: .*a range outside of 172\.20\.0\.0\/16, the serviceCidr/);
    assert.deepEqual(faultsOf(route("172.16.0.0/12")), []);
  });

  it("rejects keys of another region, duplicate subnets and too many instance types", () => {
    const key = "arn:aws:kms:eu-west-1:123456789012:key/1234";
    refuses({ ...EKS, kmsKey: key }, /kmsKey: found .*expected a key in eu-central-1/);
    refuses(withPool({ diskKey: key }), /more\.diskKey: found .*expected a key in eu-central-1/);
    const existing = { privateSubnetIds: ["subnet-0000000a", "subnet-0000000b", "subnet-0000000a"] };
    refuses(withNetwork({ existing }), /privateSubnetIds\[2\]: .*each subnet once/);
    const two = { privateSubnetIds: ["subnet-0000000a", "subnet-0000000b"] };
    const twice = { ...two, publicSubnetIds: ["subnet-0000000c", "subnet-0000000c"] };
    refuses(withNetwork({ existing: twice }), /publicSubnetIds\[1\]: .*each subnet once/);
    refuses(
      withNetwork({ existing: { ...two, publicSubnetIds: ["subnet-0000000a"] } }),
      /publicSubnetIds\[0\]: .*each subnet once/,
    );
    refuses(withPool({ instanceTypes: Array.from({ length: 21 }, () => "m7i.large") }), /20 instance types at most/);
  });

  it("rejects minors that EKS no longer has or that the platform does not know", () => {
    refuses(
      { ...EKS, version: "1.20" },
      /version: found "1\.20"; expected a Kubernetes minor that EKS has, in quotes, "1\.31" to/,
    );
    refuses({ ...EKS, version: "1.99" }, /version: found "1\.99"/);
  });

  it("requires a first node in a pool without taints", () => {
    const nodePools = { general: { ...EKS.nodePools.general, min: 0 } };
    refuses({ ...EKS, nodePools }, /nodePools\.general\.min: found 0; expected at least 1 in a pool without taints/);
    assert.deepEqual(faultsOf({ ...EKS, nodePools: { general: { ...nodePools.general, desired: 1 } } }), []);
  });

  it("rejects another pool with the name of the autoscaler's pool", () => {
    const nodePools = { ...EKS.nodePools, autoscaler: { instanceTypes: ["m7i.large"], min: 1, max: 3 } };
    refuses({ ...EKS, nodePools }, /nodePools\.autoscaler: .*another name, or the taint dedicated=clusterAutoscaler/);
  });

  it("rejects one principal under two names", () => {
    const arn = "arn:aws:iam::123456789012:role/ci";
    refuses(
      { ...EKS, access: { admins: { ci: arn }, readers: { ci: arn } } },
      /readers\.ci: .*each principal once; it is admins\.ci/,
    );
  });

  it("rejects contradictory numbers of nodes", () => {
    refuses(withPool({ min: 4 }), /nodePools\.more\.min: found 4; expected at most max, which is 3/);
    refuses(withPool({ desired: 9 }), /nodePools\.more\.desired: found 9; expected a number from min to max, 0 to 3/);
  });

  it("rejects unknown and incompatible instance types", () => {
    refuses(withPool({ instanceTypes: ["m7x"] }), /instanceTypes\[0\]: found "m7x"; expected an instance type/);
    refuses(
      withPool({ instanceTypes: ["m7i.large", "m7g.large"] }),
      /instanceTypes\[1\]: found "m7g\.large" \(arm64\)/,
    );
    refuses(
      withPool({ instanceTypes: ["g5.xlarge", "m7i.large"] }),
      /instanceTypes\[1\]: .*types with GPUs, as g5\.xlarge/,
    );
  });

  it("rejects a pool with a taint that nothing tolerates, and a cluster of only such pools", () => {
    const taints = [{ key: "dedicated", value: "ray", effect: "NoSchedule" }];
    refuses(withPool({ taints }), /nodePools\.more\.taints: found dedicated=ray; .*say in toleratedBy who/);
    assert.deepEqual(faultsOf(withPool({ taints, toleratedBy: "our Spark jobs" })), []);
    const only = { general: { instanceTypes: ["m7i.large"], max: 3, taints, toleratedBy: "us" } };
    refuses({ ...EKS, nodePools: only }, /nodePools: found no pool without taints/);
    const twice = [...taints, { key: "dedicated", value: "ray", effect: "NoExecute" }];
    refuses(
      withPool({ taints: twice, toleratedBy: "us" }),
      /taints\[1\]\.key: found "dedicated"; expected each key once/,
    );
  });

  it("rejects a pool for the autoscaler on spot capacity or without a node", () => {
    const taints = [{ key: "dedicated", value: "clusterAutoscaler", effect: "NoSchedule" }];
    refuses(withPool({ taints, min: 1, capacity: "spot" }), /more\.capacity: found "spot"; expected onDemand/);
    refuses(withPool({ taints }), /more\.min: found 0; expected at least 1/);
  });

  it("rejects nodes newer than the control plane, or more than one minor older", () => {
    refuses(withPool({ version: "1.36" }), /version: found "1\.36"; expected 1\.35 as the cluster, or one minor less/);
    refuses(withPool({ version: "1.33" }), /version: found "1\.33"/);
    assert.deepEqual(faultsOf(withPool({ version: "1.34" })), []);
  });

  it("rejects names and labels that exceed the limits of AWS", () => {
    refuses({ ...EKS, name: "a".repeat(101) }, /cluster\.name: .*100 characters at most/);
    const pools = { ["p".repeat(21)]: EKS.nodePools.general, general: EKS.nodePools.general };
    refuses({ ...EKS, nodePools: pools }, /20 characters at most/);
    const labels = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`l${index}`, "x"]));
    refuses(withPool({ labels }), /labels: found 64 tags for labels and taints; expected at most 50/);
  });

  it("rejects a context for a cluster that has only one", () => {
    const eu = { ...provisioners.eu, spec: { ...provisioners.eu.spec, context: "other" } };
    const values = { cluster: EKS, provisioners: { eu }, defaultProvisioner: "eu" };
    assert.throws(() => decodeConfig({ values }, files), /eu\.spec\.context: found "other"; expected no context/);
  });

  it("yields subnets that AWS accepts, for any valid config", () => {
    fc.assert(
      fc.property(fc.integer({ min: 16, max: 22 }), fc.integer({ min: 2, max: 3 }), (bits, zones) => {
        const { make } = eksOf(withNetwork({ cidr: `10.0.0.0/${bits}`, zones })).network;
        assert.ok(make);
        for (const { cidr } of planSubnets(make.cidr, make.zones)) assert.ok(Number(cidr.split("/")[1]) <= 26);
      }),
    );
  });
});

describe("the config of data access", () => {
  const entry = (more: object = {}) => ({ daft: { serviceAccounts: { ray: ["daft"] }, ...more } });

  it("requires only service accounts", () => {
    assert.deepEqual(decode(EKS, entry()).dataAccess["daft"], {
      serviceAccounts: { ray: ["daft"] },
      accounts: "make",
      createNamespaces: false,
      buckets: [],
      managedPolicies: {},
    });
  });

  it("requires an EKS cluster", () => {
    refuses(
      { type: "existing", kubeconfig: { inCluster: true } },
      /^cluster\.eks: found nothing; expected name and region of the EKS cluster/,
      entry(),
    );
  });

  it("accepts an existing EKS cluster", () => {
    const there = { type: "existing", kubeconfig: { inCluster: true }, eks: { name: "old", region: "eu-central-1" } };
    assert.deepEqual(faultsOf(there, entry()), []);
    refuses({ ...there, eks: { name: "old" } }, /^cluster\.eks\.region: found nothing; expected a region of AWS/);
    refuses(there, /roleName: found the role old-a;/, {
      a: { serviceAccounts: { ray: ["a"] } },
      b: { serviceAccounts: { ray: ["b"] }, roleName: "old-a" },
    });
  });

  it("rejects an empty list of service accounts, and a wildcard for all of them", () => {
    refuses(EKS, /serviceAccounts: found an empty object/, entry({ serviceAccounts: {} }));
    refuses(EKS, /serviceAccounts\.ray: .*at least one name/, entry({ serviceAccounts: { ray: [] } }));
    refuses(EKS, /serviceAccounts\.ray\[0\]: found "\*"/, entry({ serviceAccounts: { ray: ["*"] } }));
  });

  it("rejects two roles for one service account", () => {
    const two = { one: { serviceAccounts: { ray: ["daft"] } }, two: { serviceAccounts: { ray: ["daft"] } } };
    refuses(EKS, /two\.serviceAccounts\.ray: found "daft"; .*it has that of one/, two);
  });

  it("rejects wildcards with Pod Identity", () => {
    const wild = entry({ serviceAccounts: { ray: ["*-daft"] } });
    assert.deepEqual(faultsOf(EKS, wild), []);
    refuses({ ...EKS, identity: "podIdentity" }, /Pod Identity knows no wildcards/, wild);
  });

  it("takes prefixes literally, and rejects patterns", () => {
    const buckets = (prefix: string) => entry({ buckets: [{ bucket: "b-1", prefixes: [prefix] }] });
    for (const prefix of ["/", "/events/", "a*", "a?b", "${aws:username}/"])
      refuses(EKS, /prefixes\[0\]: found .*expected what keys begin with/, buckets(prefix));
    assert.deepEqual(faultsOf(EKS, buckets("part-")), []);
  });

  it("rejects invalid names of buckets", () => {
    for (const bucket of ["a..b", "192.168.0.1", "a.-b", "xn--a", "b-s3alias", "Upper"])
      refuses(EKS, /buckets\[0\]\.bucket: found .*a bucket's name or ARN/, entry({ buckets: [{ bucket }] }));
  });

  it("sets the name of a role, and rejects a name that is in use", () => {
    assert.equal(decode(EKS, entry({ roleName: "acme_DaftRole" })).dataAccess["daft"]?.roleName, "acme_DaftRole");
    refuses(
      EKS,
      /dataAccess\.daft\.roleName: found the role acme-nodes; .*that of the platform/,
      entry({ roleName: "acme-nodes" }),
    );
    for (const name of ["nodes", "control-plane", "ebs-csi"])
      refuses(EKS, /expected a role of its own: this one is that of the platform/, { [name]: entry().daft });
    const two = {
      one: { serviceAccounts: { a: ["x"] }, roleName: "r" },
      two: { serviceAccounts: { b: ["x"] }, roleName: "r" },
    };
    refuses(EKS, /dataAccess\.two\.roleName: .*that of dataAccess\.one/, two);
  });

  it("rejects policies that exceed the limits of AWS", () => {
    const many = Array.from({ length: 80 }, (_, index) => `a-rather-long-name-${index}`);
    refuses(EKS, /a policy of \d+ characters, AWS takes 2048/, entry({ serviceAccounts: { ray: many } }));
    const buckets = Array.from({ length: 80 }, (_, index) => ({ bucket: `bucket-${index}` }));
    refuses(EKS, /buckets: found a policy of \d+ characters, AWS takes 6144/, entry({ buckets }));
  });

  it("requires a reason for managed policies that allow everything", () => {
    const managedPolicies = { all: "arn:aws:iam::aws:policy/AdministratorAccess" };
    refuses(
      EKS,
      /dataAccess\.daft\.managedPolicies\.all: found arn\S+AdministratorAccess; expected a policy with the needed actions, or wildcardReason/,
      entry({ managedPolicies }),
    );
    assert.deepEqual(faultsOf(EKS, entry({ managedPolicies, wildcardReason: "a test account" })), []);
    const reading = { reading: "arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess" };
    assert.deepEqual(faultsOf(EKS, entry({ managedPolicies: reading })), []);
  });

  it("reads a custom policy, and requires a reason for its wildcards", () => {
    assert.match(decode(EKS, entry({ policy: "fine.json" })).dataAccess["daft"]?.document ?? "", /GetObject/);
    refuses(
      EKS,
      /policy: in "wild\.json", statement 0: found the action s3:\*; expected actions by name, or wildcardReason/,
      entry({ policy: "wild.json" }),
    );
    assert.deepEqual(faultsOf(EKS, entry({ policy: "wild.json", wildcardReason: "their own bucket" })), []);
    refuses(
      EKS,
      /policy: in "others\.json", statement 0: found NotAction, which allows all others/,
      entry({ policy: "others.json" }),
    );
    refuses(
      EKS,
      /policy: in "reads\.json", statement 0: found the resource \* for s3:Get\*/,
      entry({ policy: "reads.json" }),
    );
    assert.deepEqual(faultsOf(EKS, entry({ policy: "lists.json" })), []);
    refuses(EKS, /policy: found "none\.json", no policy document/, entry({ policy: "none.json" }));
    refuses(EKS, /policy: found "gone\.json", no such file/, entry({ policy: "gone.json" }));
  });
});
