import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { decodeConfig } from "../../../components/platform/config/decodeConfig";
import { dataAccess as dataAccessFeature } from "../../../components/dataAccess/feature";
import { eks } from "../../../components/eks/feature";
import { karpenter } from "../../../components/karpenter/feature";
import { createFeatures } from "../../../components/platform/create";
import { readOwnState } from "../../../components/resources/ownState";
import { answerOf, outputsOf } from "./answers";
import { filesOf } from "../config/fixtures";
import { mock, settled, type Recorder, type Registered } from "../runtime/mocks";
import { EKS } from "./config.test";

const provisioners = {
  eu: { type: "kubernetes", spec: { namespace: "runtimes", host: "https://*.example.com", image: "example/runtime" } },
};

async function graph(
  cluster: object,
  dataAccess: object = {},
  ray: object = {},
  who = "ci",
  ingress: object = {},
): Promise<Recorder> {
  // Its pods are in the pool for notebooks of the shipped stacks.
  const jupyterhub = JSON.stringify(cluster).includes("notebooks")
    ? { auth: { type: "dummy" }, nodePool: "notebooks" }
    : {};
  const values = { cluster, dataAccess, ray, jupyterhub, ingress, provisioners, defaultProvisioner: "eu" };
  const config = decodeConfig({ values, stack: "dev" }, filesOf({}));
  const recorder = mock(outputsOf, (call) => answerOf(call, who));
  const charts = { archives: { karpenter: "./karpenter.tgz" } };
  await createFeatures([eks, dataAccessFeature, karpenter], config, charts, readOwnState());
  await settled(recorder);
  return recorder;
}

const ofType = ({ resources }: Recorder, type: string): Registered[] =>
  resources.filter((one) => one.type.endsWith(type));
const named = (recorder: Recorder, type: string, name: string): Record<string, unknown> =>
  ofType(recorder, type).find((one) => one.name === name)?.inputs ?? assert.fail(`no ${type} ${name}`);

describe("a cluster on EKS", function () {
  this.timeout(20_000);

  it("is private, encrypted, logged and protected", async () => {
    const all = await graph(EKS);
    const cluster = all.only("aws:eks/cluster:Cluster").inputs;
    assert.deepEqual(cluster["accessConfig"], {
      authenticationMode: "API",
      bootstrapClusterCreatorAdminPermissions: false,
    });
    const { endpointPrivateAccess, endpointPublicAccess } = cluster["vpcConfig"] as Record<string, unknown>;
    assert.deepEqual([endpointPrivateAccess, endpointPublicAccess], [true, false]);
    assert.deepEqual((cluster["encryptionConfig"] as { resources: string[] }).resources, ["secrets"]);
    assert.equal((cluster["enabledClusterLogTypes"] as string[]).length, 5);
    assert.equal(cluster["deletionProtection"], true);
    assert.equal(all.only("aws:cloudwatch/logGroup:LogGroup").inputs["name"], "/aws/eks/acme/cluster");
    assert.deepEqual(all.only("aws:iam/openIdConnectProvider:OpenIdConnectProvider").inputs["clientIdLists"], [
      "sts.amazonaws.com",
    ]);
  });

  it("has a network of three zones, or uses existing subnets", async () => {
    const made = await graph(EKS);
    assert.equal(ofType(made, ":Subnet").length, 6);
    assert.equal(ofType(made, ":NatGateway").length, 3);
    assert.equal(ofType(made, ":RouteTableAssociation").length, 6);
    const cheap = await graph({ ...EKS, network: { zones: 2, nat: "single" } });
    assert.equal(ofType(cheap, ":NatGateway").length, 1);
    assert.equal(ofType(cheap, ":RouteTableAssociation").length, 4);
    const existing = { privateSubnetIds: ["subnet-0000000a", "subnet-0000000b"] };
    const taken = await graph({ ...EKS, network: { existing } });
    assert.deepEqual(ofType(taken, ":Vpc"), []);
    const { subnetIds } = taken.only("aws:eks/cluster:Cluster").inputs["vpcConfig"] as { subnetIds: string[] };
    assert.deepEqual(subnetIds, existing.privateSubnetIds);
  });

  it("grants access to the principals in the config", async () => {
    const access = {
      admins: { ci: "arn:aws:iam::123456789012:role/ci" },
      readers: { all: "arn:aws:iam::123456789012:role/r" },
    };
    const all = await graph({ ...EKS, access });
    const policies = ofType(all, ":AccessPolicyAssociation").map(({ name, inputs }) => [name, inputs["policyArn"]]);
    assert.deepEqual(policies.toSorted(), [
      ["cluster-eks-control-plane-admin/ci", "arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy"],
      ["cluster-eks-control-plane-reader/all", "arn:aws:eks::aws:cluster-access-policy/AmazonEKSViewPolicy"],
    ]);
  });

  it("is rejected if its deployer has no access, or if a principal has two entries", async () => {
    await assert.rejects(
      graph(EKS, {}, {}, "someone"),
      /access\.admins: found no entry for arn.*someone.*creatorIsAdmin/,
    );
    const access = { ...EKS.access, creatorIsAdmin: true };
    await assert.rejects(
      graph({ ...EKS, access }),
      /creatorIsAdmin: found true, but .* is also admins\.ci; expected only one of them/,
    );
    assert.ok(await graph({ ...EKS, access }, {}, {}, "someone"));
  });

  it("has add-ons of the default versions, unless others are configured", async () => {
    const all = await graph({ ...EKS, addonVersions: { coredns: "v9" } });
    assert.equal(named(all, ":Addon", "cluster-eks-coredns")["addonVersion"], "v9");
    assert.equal(named(all, ":Addon", "cluster-eks-vpc-cni")["addonVersion"], "v1-vpc-cni");
    assert.equal(ofType(all, ":Addon").length, 7);
  });

  it("has nodes with encrypted disks and with credentials that pods cannot use", async () => {
    const pools = { general: EKS.nodePools.general, arm: { instanceTypes: ["m7g.large"], max: 2, perZone: true } };
    const all = await graph({ ...EKS, nodePools: pools });
    const template = named(all, ":LaunchTemplate", "cluster-eks-nodes/general");
    assert.deepEqual(template["metadataOptions"], {
      httpEndpoint: "enabled",
      httpTokens: "required",
      httpPutResponseHopLimit: 1,
    });
    assert.match(JSON.stringify(template["blockDeviceMappings"]), /"encrypted":"true"/);
    const groups = ofType(all, ":NodeGroup").map(({ name }) => name);
    assert.deepEqual(groups.toSorted(), [
      "cluster-eks-nodes/arm/0",
      "cluster-eks-nodes/arm/1",
      "cluster-eks-nodes/arm/2",
      "cluster-eks-nodes/autoscaler",
      "cluster-eks-nodes/general",
    ]);
    const group = named(all, ":NodeGroup", "cluster-eks-nodes/general");
    assert.deepEqual(group["launchTemplate"], { id: "cluster-eks-nodes/general-id", version: "7" });
    assert.equal(group["version"], "1.35");
  });

  it("sets the autoscaler's tags on the Auto Scaling group itself", async () => {
    const tags = ofType(await graph(EKS), "autoscaling/tag:Tag").map(({ inputs }) => inputs);
    const general = tags.filter((tag) => tag["autoscalingGroupName"] === "asg-cluster-eks-nodes/general");
    const keys = general.map((tag) => (tag["tag"] as { key: string }).key);
    assert.ok(keys.includes("k8s.io/cluster-autoscaler/acme"), keys.join());
  });

  it("has one default storage class, which is encrypted", async () => {
    const { objects } = named(await graph(EKS), ":ManifestSet", "cluster-eks-storage") as { objects: object[] };
    assert.equal(objects.length, 1);
    assert.match(JSON.stringify(objects), /is-default-class":"true".*"encrypted":"true"/);
  });

  it("has one small node group with Karpenter, an interruption queue, and a NodePool per pool", async () => {
    const all = await graph({
      ...EKS,
      nodes: "karpenter",
      nodePools: { general: { instanceTypes: ["m7i.large"], max: 5 } },
    });
    assert.deepEqual(
      ofType(all, ":NodeGroup").map(({ name }) => name),
      ["cluster-eks-nodes/karpenter"],
    );
    assert.equal(ofType(all, ":Addon").length, 7);
    assert.equal(all.only("aws:sqs/queue:Queue").inputs["name"], "acme-karpenter");
    const rules = ofType(all, ":EventRule").map(({ name }) => name.split("/")[1]);
    assert.deepEqual(rules.toSorted(), ["capacity", "health", "rebalance", "spot", "state"]);
    assert.equal(ofType(all, ":EventTarget").length, 5);
    const policy = String(all.only("aws:sqs/queuePolicy:QueuePolicy").inputs["policy"]);
    assert.match(policy, /"events\.amazonaws\.com".*aws:SourceArn.*"Deny".*aws:SecureTransport":"false"/);
    const { objects } = named(all, ":ManifestSet", "karpenter-pools") as {
      objects: { kind: string; spec: { role?: string } }[];
    };
    assert.deepEqual(
      objects.map(({ kind }) => kind),
      ["EC2NodeClass", "NodePool"],
    );
    assert.equal(objects[0]?.spec.role, "acme-nodes");
    const role = named(all, "iam/role:Role", "karpenter-role-role");
    assert.equal(role["name"], "acme-karpenter");
    assert.match(String(role["assumeRolePolicy"]), /system:serviceaccount:kube-system:karpenter/);
    // Nobody else's entry: EKS makes that of the role of a node group.
    assert.ok(ofType(all, ":AccessEntry").every(({ inputs }) => inputs["type"] === undefined));
  });

  it("leaves nodes, network, disks and load balancers to EKS with Auto Mode", async () => {
    const auto = { ...EKS, nodes: "auto", nodePools: { general: { instanceTypes: ["m7g.large"], max: 5 } } };
    const all = await graph(auto, {}, {}, "ci", { existing: ["nginx"] });
    const cluster = all.only("aws:eks/cluster:Cluster").inputs;
    const { elasticLoadBalancing } = cluster["kubernetesNetworkConfig"] as Record<string, unknown>;
    assert.deepEqual(
      [cluster["computeConfig"], cluster["storageConfig"], elasticLoadBalancing],
      [{ enabled: true }, { blockStorage: { enabled: true } }, { enabled: true }],
    );
    assert.equal(cluster["bootstrapSelfManagedAddons"], false);
    assert.match(
      String(named(all, "iam/role:Role", "cluster-eks-control-plane-role")["assumeRolePolicy"]),
      /"sts:AssumeRole","sts:TagSession"/,
    );
    assert.deepEqual(
      ofType(all, ":Addon").map(({ inputs }) => inputs["addonName"]),
      ["metrics-server"],
    );
    for (const none of [":NodeGroup", ":LaunchTemplate", ":Queue", ":Release"]) assert.deepEqual(ofType(all, none), []);
    const entry = ofType(all, ":AccessEntry").find(({ inputs }) => inputs["type"] === "EC2");
    assert.ok(entry);
    const granted = named(all, ":AccessPolicyAssociation", entry.name)["policyArn"];
    assert.equal(granted, "arn:aws:eks::aws:cluster-access-policy/AmazonEKSAutoNodePolicy");
    const { objects } = named(all, ":ManifestSet", "cluster-eks-nodes-pools") as { objects: { kind: string }[] };
    assert.deepEqual(
      objects.map(({ kind }) => kind),
      ["NodeClass", "NodePool", "IngressClassParams", "IngressClass"],
    );
    assert.match(JSON.stringify(objects), /"kubernetes\.io\/arch","operator":"In","values":\["arm64"\]/);
    const storage = named(all, ":ManifestSet", "cluster-eks-storage");
    assert.match(JSON.stringify(storage["objects"]), /"provisioner":"ebs\.csi\.eks\.amazonaws\.com"/);
  });

  for (const stage of ["staging", "prod"]) {
    it(`matches Pulumi.${stage}.yaml`, async () => {
      const text = readFileSync(join(__dirname, "../../..", `Pulumi.${stage}.yaml`), "utf8");
      const config = Object.entries((load(text) as { config: Record<string, object> }).config);
      const values = Object.fromEntries(config.map(([key, value]) => [key.replace("stackyard:", ""), value]));
      const all = await graph(values["cluster"] ?? {}, values["dataAccess"], values["ray"], "stackyard-ci");
      assert.equal(all.only("aws:eks/cluster:Cluster").inputs["name"], `stackyard-${stage}`);
      assert.equal(ofType(all, ":NodeGroup").length, 9);
    });
  }

  it("gives every resource of a type a unique name, even if names contain each other", async () => {
    const pools = { a: { instanceTypes: ["m7i.large"], max: 2, perZone: true }, "a-0": EKS.nodePools.general };
    const arn = (name: string) => `arn:aws:iam::123456789012:role/${name}`;
    const access = { admins: { ci: arn("ci"), "ci-b": arn("b") }, readers: { ci: arn("c") } };
    const cluster = { ...EKS, name: "x-enabled", nodePools: pools, access, identity: "podIdentity" };
    const policy = (name: string) => ({ [name]: `arn:aws:iam::aws:policy/${name}` });
    const { resources } = await graph(cluster, {
      a: { serviceAccounts: { "n-m": ["o"], n: ["m-o"] }, managedPolicies: policy("b-c"), createNamespaces: true },
      "a-b": { serviceAccounts: { n: ["p"] }, managedPolicies: policy("c"), createNamespaces: true },
    });
    const names = resources.map(({ type, name }) => `${type} ${name}`);
    assert.deepEqual(names.toSorted(), [...new Set(names)].toSorted());
  });
});

describe("data access", function () {
  this.timeout(20_000);
  const entries = {
    daft: {
      serviceAccounts: { ray: ["*-daft", "own"], jupyterhub: ["daft"] },
      createNamespaces: true,
      buckets: [{ bucket: "acme-data", access: "readWrite" }],
    },
  };

  it("consists of a role, a policy, and service accounts with the role's ARN", async () => {
    const all = await graph(EKS, entries);
    const role = named(all, "iam/role:Role", "data-access/daft-role");
    assert.equal(role["name"], "acme-daft");
    assert.match(String(role["assumeRolePolicy"]), /StringLike.*system:serviceaccount:ray:\*-daft/);
    assert.match(String(named(all, ":RolePolicy", "data-access/daft-data")["policy"]), /arn:aws:s3:::acme-data\/\*/);
    const { objects } = named(all, ":ManifestSet", "data-access/daft-accounts/ray") as {
      objects: { metadata: object }[];
    };
    assert.deepEqual(objects[0]?.metadata, {
      name: "own",
      annotations: {
        "eks.amazonaws.com/role-arn": "arn:aws:test:::data-access/daft-role",
      },
    });
    const namespaces = ofType(all, ":ManifestSet").map(({ name }) => name);
    assert.ok(
      namespaces.includes("data-access-namespace/ray") && namespaces.includes("data-access-namespace/jupyterhub"),
    );
  });

  it("uses associations instead of annotations with Pod Identity", async () => {
    const exact = { daft: { ...entries.daft, serviceAccounts: { ray: ["own"] } } };
    const all = await graph({ ...EKS, identity: "podIdentity" }, exact);
    const { namespace, serviceAccount, clusterName } = named(
      all,
      ":PodIdentityAssociation",
      "data-access/daft-association/ray/own",
    );
    assert.deepEqual([namespace, serviceAccount, clusterName], ["ray", "own", "acme"]);
    const { objects } = named(all, ":ManifestSet", "data-access/daft-accounts/ray") as {
      objects: { metadata: object }[];
    };
    assert.deepEqual(objects[0]?.metadata, { name: "own", annotations: {} });
    assert.ok(ofType(all, ":PodIdentityAssociation").some(({ name }) => name.startsWith("cluster-eks-ebs")));
  });

  it("is created for an existing cluster in the same way", async () => {
    const eks = { name: "old", region: "eu-central-1", tags: { team: "data" } };
    const all = await graph({ type: "existing", kubeconfig: { inCluster: true }, eks }, entries);
    assert.deepEqual(
      ofType(all, ":Cluster").map(({ type }) => type),
      ["stackyard:index:Cluster"],
    );
    const role = named(all, "iam/role:Role", "data-access/daft-role");
    assert.equal(role["name"], "old-daft");
    const trust = String(role["assumeRolePolicy"]);
    assert.match(trust, /"Federated":"arn:aws:iam::123456789012:oidc-provider\/oidc\.example\.com\/id\/0A"/);
    assert.match(trust, /"oidc\.example\.com\/id\/0A:sub"/);
    const { region, defaultTags } = named(all, "pulumi:providers:aws", "cluster-eks-aws");
    assert.deepEqual([region, defaultTags], ["eu-central-1", '{"tags":{"team":"data"}}']);
    const own = await graph(
      { type: "existing", kubeconfig: { inCluster: true }, eks: { ...eks, identity: "podIdentity" } },
      { daft: { ...entries.daft, serviceAccounts: { ray: ["own"] } } },
    );
    assert.match(
      String(named(own, "iam/role:Role", "data-access/daft-role")["assumeRolePolicy"]),
      /eks-cluster-arn":"arn:aws:eks:eu-central-1:123456789012:cluster\/old"/,
    );
    assert.ok(!own.calls.some(({ token }) => token.includes("getOpenIdConnectProvider")));
  });

  it("is created in the region and with the tags of the cluster", async () => {
    const exact = { daft: { ...entries.daft, serviceAccounts: { ray: ["own"] } } };
    const all = await graph({ ...EKS, identity: "podIdentity" }, exact);
    const made = all.resources.filter(({ type, name }) => type.startsWith("aws:") && name.startsWith("data-access"));
    assert.equal(made.length, 3);
    for (const { name, provider = "the default provider" } of made) assert.match(provider, /::cluster-eks-aws::/, name);
  });

  it("annotates existing service accounts", async () => {
    const all = await graph(EKS, { daft: { serviceAccounts: { ray: ["own"] }, accounts: "annotate" } });
    assert.equal(ofType(all, "ServiceAccountPatch").length, 1);
    assert.ok(!ofType(all, ":ManifestSet").some(({ name }) => name.startsWith("data-access")));
  });
});
