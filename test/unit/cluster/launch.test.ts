import assert from "node:assert/strict";
import { decodeConfig } from "../../../components/platform/config/decodeConfig";
import { ConfigError } from "../../../foundation/schema/faults";
import { dataAccess as dataAccessFeature } from "../../../components/dataAccess/feature";
import { eks } from "../../../components/eks/feature";
import { createFeatures } from "../../../components/platform/create";
import { userDataOf } from "../../../components/cluster/nodePool/userData";
import { readOwnState } from "../../../components/resources/ownState";
import { filesOf } from "../config/fixtures";
import { mock, settled, type Recorder, type Registered } from "../runtime/mocks";
import { answerOf } from "./answers";
import { EKS } from "./config.test";

const provisioners = {
  eu: { type: "kubernetes", spec: { namespace: "runtimes", host: "https://*.example.com", image: "example/runtime" } },
};
const files = filesOf({
  "start.sh": "#!/bin/sh\necho hello\n",
  "node.yaml": "apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\n",
  "settings.toml": '[settings.kernel.sysctl]\n"vm.max_map_count" = "262144"\n',
  "long.sh": `#!/bin/sh\n${"x".repeat(17_000)}`,
});
const decode = (cluster: object, dataAccess: object = {}) =>
  decodeConfig({ values: { cluster, dataAccess, provisioners, defaultProvisioner: "eu" } }, files);
function refuses(cluster: object, pattern: RegExp): void {
  assert.throws(
    () => decode(cluster),
    (error: unknown) => error instanceof ConfigError && error.faults.length === 1 && pattern.test(error.message),
  );
}
const withPool = (pool: object) => ({
  ...EKS,
  nodePools: { ...EKS.nodePools, more: { instanceTypes: ["m7i.large"], max: 3, ...pool } },
});

const outputsOf = ({ type, name, inputs }: Registered): Record<string, unknown> => ({
  arn:
    type === "aws:eks/cluster:Cluster"
      ? "arn:aws:eks:eu-central-1:123456789012:cluster/acme"
      : `arn:aws:test:::${name}`,
  endpoint: "https://x.eks.amazonaws.com",
  certificateAuthority: { data: "Q0E=" },
  identities: [{ oidcs: [{ issuer: "https://oidc.example.com/id/0" }] }],
  ...(type === "aws:eks/cluster:Cluster" && { vpcConfig: { vpcId: "vpc-0a", clusterSecurityGroupId: "sg-0000000c" } }),
  url: inputs["url"] ?? "https://oidc.example.com/id/0",
  resources: [{ autoscalingGroups: [{ name: `asg-${name}` }] }],
  latestVersion: 1,
});
async function graph(cluster: object, dataAccess: object = {}): Promise<Recorder> {
  const config = decode(cluster, dataAccess);
  const recorder = mock(outputsOf, (call) => answerOf(call));
  await createFeatures([eks, dataAccessFeature], config, { archives: {} }, readOwnState());
  await settled(recorder);
  return recorder;
}
const ofType = ({ resources }: Recorder, type: string): Registered[] =>
  resources.filter((one) => one.type.endsWith(type));
const named = (recorder: Recorder, type: string, name: string): Record<string, unknown> =>
  ofType(recorder, type).find((one) => one.name === name)?.inputs ?? assert.fail(`no ${type} ${name}`);

describe("the launch template of nodes", function () {
  this.timeout(20_000);

  it("accepts a script, a NodeConfig or MIME parts for Amazon Linux, and settings for Bottlerocket", () => {
    assert.match(
      userDataOf("al2023", "#!/bin/sh\necho\n") ?? "",
      /^MIME-Version: 1\.0\n[^]*Content-Type: text\/x-shellscript[^]*\n#!\/bin\/sh\necho\n/,
    );
    assert.match(
      userDataOf("al2023", "apiVersion: node.eks.aws/v1alpha1\n") ?? "",
      /Content-Type: application\/node\.eks\.aws/,
    );
    assert.equal(userDataOf("al2023", "MIME-Version: 1.0\n"), "MIME-Version: 1.0\n");
    assert.equal(userDataOf("bottlerocket", "# a\n[settings.ntp]\n"), "# a\n[settings.ntp]\n");
    assert.deepEqual(
      [userDataOf("al2023", "[settings]"), userDataOf("bottlerocket", "#!/bin/sh")],
      [undefined, undefined],
    );
    refuses(
      withPool({ userData: "settings.toml" }),
      /nodePools\.more\.userData: found "settings\.toml", something else; expected a script/,
    );
    refuses(withPool({ userData: "none.sh" }), /found "none\.sh", no such file/);
    refuses(withPool({ userData: "long.sh" }), /found 1\d{4} bytes; expected at most 16384/);
  });

  it("has the user data, and security groups in addition to the cluster's own", async () => {
    const all = await graph(withPool({ userData: "start.sh", securityGroupIds: ["sg-0000000a"] }));
    const { userData, vpcSecurityGroupIds } = named(all, ":LaunchTemplate", "cluster-eks-nodes/more");
    assert.match(Buffer.from(String(userData), "base64").toString(), /\n#!\/bin\/sh\necho hello\n/);
    assert.deepEqual(vpcSecurityGroupIds, ["sg-0000000c", "sg-0000000a"]);
    const plain = named(all, ":LaunchTemplate", "cluster-eks-nodes/general");
    assert.deepEqual([plain["userData"], plain["vpcSecurityGroupIds"]], [undefined, undefined]);
  });

  it("encrypts every disk, including the system disk of Bottlerocket", async () => {
    const all = await graph(withPool({ os: "bottlerocket", userData: "settings.toml" }));
    const disks = (name: string) =>
      (
        named(all, ":LaunchTemplate", name)["blockDeviceMappings"] as {
          deviceName: string;
          ebs: { encrypted: string };
        }[]
      ).map(({ deviceName, ebs }) => [deviceName, ebs.encrypted]);
    assert.deepEqual(disks("cluster-eks-nodes/more"), [
      ["/dev/xvda", "true"],
      ["/dev/xvdb", "true"],
    ]);
    assert.deepEqual(disks("cluster-eks-nodes/general"), [["/dev/xvda", "true"]]);
  });
});

describe("roles of a cluster", function () {
  this.timeout(20_000);
  const entries = { daft: { serviceAccounts: { ray: ["own"] } } };
  const names = (all: Recorder) => ofType(all, "iam/role:Role").map(({ inputs }) => inputs["name"]);

  it("start with the name of the cluster or with a configured prefix", async () => {
    assert.deepEqual(names(await graph(EKS, entries)).toSorted(), [
      "acme-control-plane",
      "acme-daft",
      "acme-ebs-csi",
      "acme-nodes",
    ]);
    const other = await graph({ ...EKS, roles: { prefix: "acme-eu" } }, entries);
    assert.deepEqual(names(other).toSorted(), [
      "acme-eu-control-plane",
      "acme-eu-daft",
      "acme-eu-ebs-csi",
      "acme-eu-nodes",
    ]);
    assert.equal(other.only("aws:eks/cluster:Cluster").inputs["name"], "acme");
  });

  it("have the configured permissions boundary", async () => {
    const permissionsBoundary = "arn:aws:iam::123456789012:policy/bound";
    const all = await graph({ ...EKS, roles: { permissionsBoundary } }, entries);
    const bounds = ofType(all, "iam/role:Role").map(({ inputs }) => inputs["permissionsBoundary"]);
    assert.deepEqual([bounds.length, ...new Set(bounds)], [4, permissionsBoundary]);
    const there = {
      type: "existing",
      kubeconfig: { inCluster: true },
      eks: { name: "old", region: "eu-central-1", roles: { permissionsBoundary, prefix: "x" } },
    };
    const role = named(await graph(there, entries), "iam/role:Role", "data-access/daft-role");
    assert.deepEqual([role["name"], role["permissionsBoundary"]], ["x-daft", permissionsBoundary]);
  });

  it("withhold the permissions of the network add-on from the nodes if that is configured", async () => {
    const attached = (all: Recorder) =>
      ofType(all, ":RolePolicyAttachment").filter(({ inputs }) =>
        String(inputs["policyArn"]).endsWith("AmazonEKS_CNI_Policy"),
      );
    const [before, ...others] = attached(await graph(EKS));
    assert.deepEqual([before?.inputs["role"], others.length], ["acme-nodes", 0]);
    const all = await graph({ ...EKS, cniRights: "podIdentity" });
    const [own, ...more] = attached(all);
    assert.deepEqual([own?.inputs["role"], more.length], ["acme-vpc-cni", 0]);
    const taken = { "vpc-cni": { serviceAccounts: { ray: ["own"] } } };
    assert.throws(
      () => decode({ ...EKS, cniRights: "podIdentity" }, taken),
      /dataAccess\.vpc-cni: found the role acme-vpc-cni/,
    );
    assert.ok(decode(EKS, taken));
    const { serviceAccount, namespace } = named(
      all,
      ":PodIdentityAssociation",
      "cluster-eks-cni-association/kube-system/aws-node",
    );
    assert.deepEqual([namespace, serviceAccount], ["kube-system", "aws-node"]);
  });
});

describe("an additional add-on", function () {
  this.timeout(20_000);
  const roleArn = "arn:aws:iam::123456789012:role/watch";

  it("is configured by name, with version, values and role", async () => {
    const addons = { "amazon-cloudwatch-observability": { version: "v4.0.0-eksbuild.1", values: { a: 1 }, roleArn } };
    const addon = named(await graph({ ...EKS, addons }), ":Addon", "cluster-eks-amazon-cloudwatch-observability");
    assert.deepEqual(
      [addon["addonVersion"], addon["configurationValues"], addon["serviceAccountRoleArn"]],
      ["v4.0.0-eksbuild.1", '{"a":1}', roleArn],
    );
    const own = { watch: { roleArn, serviceAccount: "agent" } };
    const pod = named(await graph({ ...EKS, identity: "podIdentity", addons: own }), ":Addon", "cluster-eks-watch");
    assert.deepEqual(pod["podIdentityAssociations"], [{ roleArn, serviceAccount: "agent" }]);
  });

  it("must not be one of the platform's own, and has only one way to set a role", () => {
    refuses({ ...EKS, addons: { coredns: {} } }, /addons\.coredns.*the platform's own are set in addonVersions/);
    refuses(
      { ...EKS, identity: "podIdentity", addons: { watch: { roleArn } } },
      /addons\.watch\.serviceAccount: found nothing/,
    );
    refuses(
      { ...EKS, addons: { watch: { serviceAccount: "agent" } } },
      /addons\.watch\.serviceAccount: .*there is no roleArn/,
    );
  });
});

describe("existing subnets", function () {
  this.timeout(20_000);
  it("may include public subnets, which get the tags for load balancers", async () => {
    const existing = { privateSubnetIds: ["subnet-0000000a", "subnet-0000000b"], publicSubnetIds: ["subnet-0000000c"] };
    const all = await graph({ ...EKS, network: { existing } });
    const tags = ofType(all, "ec2/tag:Tag").map(({ inputs }) => [inputs["resourceId"], inputs["key"], inputs["value"]]);
    assert.deepEqual(tags, [
      ["subnet-0000000c", "kubernetes.io/role/elb", "1"],
      ["subnet-0000000c", "kubernetes.io/cluster/acme", "shared"],
    ]);
    const { subnetIds } = all.only("aws:eks/cluster:Cluster").inputs["vpcConfig"] as { subnetIds: string[] };
    assert.deepEqual(subnetIds, ["subnet-0000000a", "subnet-0000000b"]);
  });
});
