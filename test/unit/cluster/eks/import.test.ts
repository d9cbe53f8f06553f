import assert from "node:assert/strict";
import { AwsQuestions } from "../../../../cli/eks/awsQuestions";
import { obstacles, planImport, type ImportPlan } from "../../../../cli/eks/import/plan";
import { readEks } from "../../../../cli/eks/import/read";
import type { SeenEks } from "../../../../cli/eks/import/seen";
import { parseEksImports, renderEksImports } from "../../../../components/cluster/onEks/eksImports";
import { eksFaults } from "../../../../components/eks/config/checks";
import { eksCluster } from "../../../../components/eks/config/schema";
import { argumentsOf } from "../../../doubles/aws/catalog";
import { ExistingAccountServer } from "../../../doubles/aws/existingAccount";
import { EXISTING } from "../../../fixtures/eksAccounts";

type Pools = Record<string, Record<string, unknown>>;

describe("the import of an existing cluster on EKS", () => {
  const environment = { ...process.env };
  const seen: Record<string, SeenEks> = {};

  before(async () => {
    for (const [maker, account] of Object.entries(EXISTING)) {
      const server = await new ExistingAccountServer(account).start();
      Object.assign(process.env, server.env);
      seen[maker] = await readEks("acme", "eu-central-1", new AwsQuestions("eu-central-1"), () => undefined);
      await assert.rejects(
        readEks("nowhere", "eu-central-1", new AwsQuestions("eu-central-1"), () => undefined),
        {
          message: "AWS does not show all of nowhere in eu-central-1: No cluster found for name: nowhere.",
        },
      );
      await server.stop();
    }
  });
  after(() => {
    process.env = environment;
  });

  const planOf = (maker: string, more: Partial<SeenEks> = {}): ImportPlan =>
    planImport({ ...seen[maker]!, ...more }, "eks-imports.acme.yaml");
  const imports = (plan: ImportPlan): string[] => plan.imports.map(({ type, name }) => `${type.split(":")[2]} ${name}`);
  const keptOf = (plan: ImportPlan, type: string, name: string): readonly string[] =>
    plan.imports.find((one) => one.type.endsWith(`:${type}`) && one.name === name)?.keep ?? assert.fail(`no ${name}`);
  const pools = ({ cluster }: ImportPlan): Pools => cluster["nodePools"] as Pools;

  for (const maker of Object.keys(EXISTING)) {
    it(`writes a config without faults for one of ${maker}`, () => {
      const plan = planOf(maker);
      assert.deepEqual(obstacles(seen[maker]!), []);
      assert.deepEqual(eksFaults(eksCluster.parse(plan.cluster), ["cluster"]), []);
      assert.deepEqual(parseEksImports(renderEksImports(plan.imports)), { lock: plan.imports });
    });

    it(`names each resource of one of ${maker} once`, () => {
      const all = imports(planOf(maker));
      assert.deepEqual(all.toSorted(), [...new Set(all)].toSorted());
    });
  }

  it("keeps all that a role and a launch template have", () => {
    const plan = planOf("eksctl");
    const fields = (token: string): string[] => Object.keys(argumentsOf(token)).filter((key) => key !== "region");
    const role = keptOf(plan, "Role", "control-plane-role");
    assert.deepEqual(role.toSorted(), fields("aws:iam/role:Role").toSorted());
    const template = keptOf(plan, "LaunchTemplate", "nodes/ng-general");
    assert.deepEqual(template.toSorted(), fields("aws:ec2/launchTemplate:LaunchTemplate").toSorted());
  });

  it("keeps what would replace a node group", () => {
    const shape = argumentsOf("aws:eks/nodeGroup:NodeGroup");
    const replacing = Object.keys(shape).filter((key) => shape[key]?.replaces && key !== "clusterName");
    const kept = keptOf(planOf("eksctl"), "NodeGroup", "nodes/ng-general");
    assert.deepEqual(
      replacing.filter((key) => !kept.includes(key)),
      [],
    );
  });

  it("keeps an endpoint that is open to everybody as it is, and says how to close it", () => {
    const plan = planOf("eksctl");
    assert.deepEqual(plan.cluster["endpoint"], { private: true, securityGroupIds: ["sg-0000000a"] });
    assert.ok(keptOf(plan, "Cluster", "control-plane").includes("vpcConfig.publicAccessCidrs"));
    assert.match(
      plan.kept.join("\n"),
      /endpoint\.publicCidrs: the API server is open to 0\.0\.0\.0\/0; set your ranges/,
    );
    assert.ok(!keptOf(planOf("terraform-aws-eks"), "Cluster", "control-plane").includes("vpcConfig.publicAccessCidrs"));
  });

  it("distinguishes public subnets by their routes, and uses them only if there are no private ones", () => {
    const network = (maker: string): unknown => (planOf(maker).cluster["network"] as { existing: unknown }).existing;
    assert.deepEqual(network("eksctl"), {
      privateSubnetIds: ["subnet-0000000a", "subnet-0000000b"],
      publicSubnetIds: ["subnet-0000000c", "subnet-0000000d"],
    });
    assert.deepEqual(network("CloudFormation"), { privateSubnetIds: ["subnet-0000000a", "subnet-0000000b"] });
    assert.match(planOf("CloudFormation").kept.join("\n"), /nodes run in public subnets/);
  });

  it("takes a launch template over only if its group uses the latest version", () => {
    const plan = planOf("terraform-aws-eks");
    assert.ok(imports(plan).includes("LaunchTemplate nodes/general"));
    assert.ok(!imports(plan).includes("LaunchTemplate nodes/spot"));
    assert.ok(keptOf(plan, "NodeGroup", "nodes/spot").includes("launchTemplate"));
    assert.ok(!keptOf(plan, "NodeGroup", "nodes/general").includes("launchTemplate"));
  });

  it("describes node groups as pools", () => {
    assert.deepEqual(pools(planOf("terraform-aws-eks"))["spot"], {
      instanceTypes: ["r7g.2xlarge"],
      capacity: "spot",
      min: 0,
      max: 5,
      desired: 0,
      diskGb: 20,
      maxUnavailablePercent: 33,
      labels: { workload: "batch" },
      taints: [{ key: "batch", effect: "NoSchedule" }],
      toleratedBy: "what ran on it before the import",
    });
    assert.deepEqual(Object.keys(pools(planOf("CloudFormation"))), ["nodegroup-ab1-17e5ef"]);
  });

  const general = () => seen["eksctl"]!.nodeGroups[0]!;
  const outside: [string, object, RegExp][] = [
    ["is being updated", { status: "UPDATING" }, /its status is UPDATING; run the command again/],
    ["has types without images", { instanceTypes: ["vt1.3xlarge"] }, /no images for vt1\.3xlarge/],
    ["has types of two architectures", { instanceTypes: ["m7i.large", "m7g.large"] }, /have different images/],
    ["is two minors behind", { version: "1.33" }, /it runs 1\.33, and the cluster 1\.35/],
    ["has an image without an id", { amiType: "CUSTOM" }, /its own image has no id/],
    ["chooses types by requirements", { instanceTypes: [] }, /it chooses instance types by requirements/],
  ];
  for (const [what, change, says] of outside) {
    it(`skips a node group that ${what}`, () => {
      const odd = { ...general(), nodegroupName: "odd", ...change } as SeenEks["nodeGroups"][number];
      const templates = { ...seen["eksctl"]!.templates, odd: { latest: 1 } };
      const plan = planOf("eksctl", { nodeGroups: [general(), odd], templates });
      assert.deepEqual(Object.keys(pools(plan)), ["ng-general"]);
      assert.match(plan.outside.join("\n"), says);
    });
  }

  it("keeps labels that the platform does not set", () => {
    const labels = { dedicated: "search" };
    const plan = planOf("eksctl", { nodeGroups: [{ ...general(), labels }] });
    assert.equal(pools(plan)["ng-general"]?.["labels"], undefined);
    assert.ok(keptOf(plan, "NodeGroup", "nodes/ng-general").includes("labels"));
  });

  it("keeps values and roles of add-ons, and fixes the versions that run", () => {
    const plan = planOf("terraform-aws-eks");
    assert.equal((plan.cluster["addonVersions"] as Record<string, string>)["coredns"], "v1.13.1-eksbuild.1");
    const efs = { version: "v2.1.15-eksbuild.1", roleArn: "arn:aws:iam::123456789012:role/efs-csi-of-acme" };
    assert.deepEqual(plan.cluster["addons"], { "aws-efs-csi-driver": efs });
    const kept = keptOf(plan, "Addon", "vpc-cni");
    for (const field of ["configurationValues", "serviceAccountRoleArn"]) assert.ok(kept.includes(field));
    assert.match(plan.changed.join("\n"), /add-on metrics-server is created/);
  });

  it("describes access entries with their groups, policies and scopes, but not those that EKS makes", () => {
    const plan = planOf("terraform-aws-eks");
    assert.deepEqual(plan.cluster["access"], {
      authenticationMode: "API_AND_CONFIG_MAP",
      admins: { "stackyard-ci": "arn:aws:iam::123456789012:role/stackyard-ci" },
      entries: {
        "data-science": {
          principal: "arn:aws:iam::123456789012:role/teams/Data.Science",
          groups: ["data"],
          policies: [
            { policy: "AmazonEKSEditPolicy", namespaces: ["data", "data-*"] },
            { policy: "AmazonEKSViewPolicy" },
          ],
        },
      },
    });
    assert.equal(plan.imports.filter(({ type }) => type.endsWith(":AccessEntry")).length, 2);
  });

  it("makes whoever imports an administrator if nobody is, and says so", () => {
    const plan = planOf("CloudFormation");
    const access = plan.cluster["access"] as { admins: object };
    assert.deepEqual(access.admins, { importer: "arn:aws:iam::123456789012:role/stackyard-ci" });
    assert.match(plan.changed.join("\n"), /access\.admins\.importer: arn:aws:iam::123456789012:role\/stackyard-ci/);
    assert.match(plan.changed.join("\n"), /CONFIG_MAP becomes API_AND_CONFIG_MAP, which EKS can't take back/);
  });

  it("names what it does not take over", () => {
    const { outside: left } = planOf("CloudFormation");
    assert.match(left.join("\n"), /node group Windows: the platform has no pools of Windows/);
    assert.ok(left.includes("Fargate profiles: batch"));
    assert.ok(left.includes("OIDC identity providers of the API server: company"));
    assert.ok(planOf("terraform-aws-eks").outside.includes("Pod Identity associations: apps/uploader"));
  });

  it("refuses clusters that the platform can't have", () => {
    const with_ = (more: object, groups = seen["eksctl"]!.nodeGroups): string[] =>
      obstacles({ ...seen["eksctl"]!, cluster: { ...seen["eksctl"]!.cluster, ...more }, nodeGroups: groups });
    assert.match(with_({ status: "UPDATING" }).join(), /its status is UPDATING; expected ACTIVE/);
    assert.match(with_({ computeConfig: { enabled: true } }).join(), /EKS Auto Mode/);
    assert.match(with_({ kubernetesNetworkConfig: { ipFamily: "ipv6" } }).join(), /IPv6/);
    assert.match(with_({ outpostConfig: {} }).join(), /Outpost/);
    assert.match(with_({}, []).join(), /no managed node group/);
  });

  it("names what is wrong with a file of imports", () => {
    assert.deepEqual(parseEksImports("[]"), { trouble: "no list of resources" });
    const one = "{ type: t, name: n, id: i";
    assert.deepEqual(parseEksImports(`resources: [${one} }, ${one}, keep: [1] }]`), {
      trouble: "no type, name and id, with keep as a list of properties, in resources[1]",
    });
  });
});
