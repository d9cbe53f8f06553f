import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { pythonEnvironment } from "../../../toolchain/python/environment";
import { policyOf, resourcesOf } from "../../unit/bootstrap/resources";
import type { Node } from "../snapshots/graph";
import { templateOf } from "./cloudFormation";

const root = path.join(__dirname, "../../..");
const STAGES = ["staging", "prod", "staging-karpenter", "staging-auto"];

/** Types that a graph has although its translation does not name them, and one of which it has only the tags. */
const MORE = ["AWS::EC2::InternetGateway", "AWS::EC2::Route"];
/** Types of a private endpoint, of routes and of node pools, which no shipped stack has. */
const OPTIONAL = [
  "AWS::EC2::PlacementGroup",
  "AWS::EC2::SecurityGroupIngress",
  "AWS::EC2::TransitGatewayVpcAttachment",
];
const TAGS_ONLY = "AWS::AutoScaling::AutoScalingGroup";

/** What AWS' own handlers of these types may do and the program never does, with the reason. */
const NOT_USED: Readonly<Record<string, RegExp>> = {
  "lists that only a search needs":
    /^(events:ListRules|iam:ListRoles|kms:ListKeys|sqs:ListQueues|eks:ListUpdates|logs:DescribeIndexPolicies)$/i,
  "addresses of NAT gateways stay as they are created":
    /^ec2:(AcceptAddressTransfer|AssociateAddress|\w*NatGatewayAddress)$/i,
  "ranges and tenancy of a VPC and its subnets stay": /^ec2:(\w*SubnetCidrBlock|ModifyVpcTenancy|\w*VpnGateway)$/i,
  "rules of security groups have no descriptions": /^ec2:UpdateSecurityGroupRuleDescriptionsIngress$/,
  "features of a VPC that the config does not have": /^(ec2:CreateVpcEncryptionControl|vpce:|vpc-lattice:)/i,
  "EKS Auto Mode creates its instance profiles with the cluster's role":
    /^(iam:\w*InstanceProfile|eks:ActivateCertificateAuthority)$/i,
  "audiences of an OIDC provider stay": /^iam:\w*ClientIdFromOpenIdConnectProvider$|^iam:AddClientId/i,
  "keys are neither disabled nor is their rotation": /^kms:(EnableKey|DisableKey|DisableKeyRotation)$/i,
  "keys keep the policy with which AWS creates them": /^kms:PutKeyPolicy$/i,
  "log groups have a retention and nothing else":
    /^(firehose|s3):|^logs:(\w*KmsKey|CreateLogDelivery|DeleteRetentionPolicy|\w*(DataProtection|Index|Resource)Polic(y|ies)|PutBearerTokenAuthentication|PutLogGroupDeletionProtection)$/i,
};

/** What the role may do and those handlers never do, with the reason. */
const BEYOND: Readonly<Record<string, RegExp>> = {
  "state and its key": /^(s3|kms:(Decrypt|Encrypt|GenerateDataKey)$)/,
  "look-ups of the program and of commands":
    /^(aps:DescribeWorkspace$|autoscaling:Describe|ec2:GetEbsDefaultKmsKeyId$|eks:(Describe|List)|elasticfilesystem:Describe|iam:List|ssm:GetParameter$|tag:GetResources$)/,
  "the cluster's API": /^eks:AccessKubernetesApi$/,
  "rules of security groups, which the provider changes in place": /^ec2:ModifySecurityGroupRules$/,
  "grants of keys, which CloudFormation does not have": /^kms:(ListGrants|RevokeGrant)$/,
  "tags of Auto Scaling groups": /^autoscaling:(CreateOrUpdateTags|DeleteTags)$/,
};

/** Rights that AWS' schemas of resources, as they come with cfn-lint, name for each operation. */
describe("the permissions of the deploy role", function () {
  this.timeout(60_000);
  let needed: Map<string, string>;

  before(async function () {
    // The first time cfn-lint is installed.
    this.timeout(300_000);
    const environment = await pythonEnvironment("cfn", root);
    if ("missing" in environment) return this.skip();
    const library = path.join(path.dirname(environment.python), "../lib");
    const [python = ""] = readdirSync(library);
    needed = neededBy(typesOfGraphs(), path.join(library, python, "site-packages/cfnlint/data/schemas/resources"));
  });

  const allowed = policyOf(resourcesOf()["DeployRole"])
    .Statement.filter(({ Effect }) => Effect === "Allow")
    .flatMap(({ Action }) => Action);
  const covers = (action: string, other: string): boolean =>
    new RegExp(`^${action.replaceAll("*", ".*")}$`, "i").test(other);
  const excused = (action: string, reasons: Readonly<Record<string, RegExp>>): boolean =>
    Object.values(reasons).some((pattern) => pattern.test(action));

  it("cover creating, updating and deleting all resources of the shipped stacks", () => {
    assert.ok(needed.size > 100, String(needed.size));
    const missing = [...needed].filter(
      ([action]) => !allowed.some((own) => covers(own, action)) && !excused(action, NOT_USED),
    );
    assert.deepEqual(missing, []);
  });

  it("include nothing else, except for state, look-ups and the cluster's API", () => {
    const more = allowed.filter(
      (own) => ![...needed.keys()].some((action) => covers(own, action)) && !excused(own, BEYOND),
    );
    assert.deepEqual(more, []);
  });

  it("name their resources unless AWS supports none", () => {
    const unnamed = policyOf(resourcesOf()["DeployRole"])
      .Statement.filter(({ Resource }) => Resource.includes("*"))
      .flatMap(({ Action }) => Action.filter((action) => !/:(Describe|List|GetResources|GetEbsDefault)/.test(action)));
    assert.deepEqual(unnamed, ["eks:CreateCluster", "kms:CreateKey"]);
  });
});

/** Types of CloudFormation that the graphs of the shipped stacks translate to. */
function typesOfGraphs(): Set<string> {
  const types = STAGES.flatMap((stage) => {
    const file = path.join(root, "test/fixtures/graphs", `${stage}.json`);
    const { template } = templateOf(JSON.parse(readFileSync(file, "utf8")) as Node[]);
    const { Resources } = template as { Resources: Record<string, { Type: string }> };
    return Object.values(Resources).map(({ Type }) => Type);
  });
  return new Set([...types, ...MORE, ...OPTIONAL].filter((type) => type !== TAGS_ONLY));
}

/** Actions of the handlers of these types, each with one that names it. */
function neededBy(types: ReadonlySet<string>, folder: string): Map<string, string> {
  const needed = new Map<string, string>();
  const seen = new Set<string>();
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
    const { typeName, handlers } = JSON.parse(readFileSync(path.join(folder, file), "utf8")) as {
      typeName?: string;
      handlers?: Record<string, { permissions?: string[] }>;
    };
    if (typeName === undefined || handlers === undefined || !types.has(typeName)) continue;
    seen.add(typeName);
    for (const action of Object.values(handlers).flatMap(({ permissions = [] }) => permissions)) {
      needed.set(action, typeName);
    }
  }
  assert.deepEqual(
    [...types].filter((type) => !seen.has(type)),
    [],
  );
  return needed;
}
