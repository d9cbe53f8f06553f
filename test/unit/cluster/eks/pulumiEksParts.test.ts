import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as path from "node:path";
import ts from "typescript";
import { decodeConfig } from "../../../../components/platform/config/decodeConfig";
import { eks } from "../../../../components/eks/feature";
import { createFeatures } from "../../../../components/platform/create";
import { readOwnState } from "../../../../components/resources/ownState";
import { filesOf } from "../../config/fixtures";
import { mock, settled, type Recorder, type Registered } from "../../runtime/mocks";
import { answerOf } from "../answers";
import { EKS } from "../config.test";

const ARN = "arn:aws:eks:eu-central-1:123456789012:cluster/acme";
const outputsOf = ({ type, name, inputs }: Registered): Record<string, unknown> => ({
  arn: type === "aws:eks/cluster:Cluster" ? ARN : `arn:aws:test:::${name}`,
  endpoint: "https://x.eks.amazonaws.com",
  certificateAuthority: { data: "Q0E=" },
  identities: [{ oidcs: [{ issuer: "https://oidc.example.com/id/0" }] }],
  vpcConfig: { vpcId: "vpc-0a", clusterSecurityGroupId: "sg-0000000c" },
  url: inputs["url"] ?? "https://oidc.example.com/id/0",
  resources: [{ autoscalingGroups: [{ name: `asg-${name}` }] }],
  latestVersion: 1,
});

/** Fields of a component's arguments, as the installed package declares them, each with its type. */
function argumentsOf(file: string, name: string): ReadonlyMap<string, string> {
  const place = path.join(path.dirname(require.resolve("@pulumi/eks/package.json")), file);
  const source = ts.createSourceFile(file, readFileSync(place, "utf8"), ts.ScriptTarget.Latest, true);
  const found = source.statements.find((one) => ts.isInterfaceDeclaration(one) && one.name.text === name);
  assert.ok(found && ts.isInterfaceDeclaration(found), `${file} has no ${name}`);
  const fields = found.members.filter(ts.isPropertySignature);
  return new Map(fields.map((field) => [field.name.getText(), field.type?.getText() ?? ""]));
}

/** Why these parts are raw resources is in docs/decisions/0023. Where a version of the package ends a reason, a test here fails. */
describe("the parts of a cluster that replace components of @pulumi/eks", function () {
  this.timeout(30_000);
  let recorder: Recorder;

  before(async () => {
    const cluster = {
      ...EKS,
      ami: "latest",
      cniRights: "podIdentity",
      addons: {
        "aws-guardduty-agent": { roleArn: "arn:aws:iam::123456789012:role/guard", serviceAccount: "guard" },
      },
      nodePools: { ...EKS.nodePools, more: { instanceTypes: ["m7i.large"], max: 3, forceUpdate: true } },
    };
    const provisioners = {
      eu: { type: "kubernetes", spec: { namespace: "r", host: "https://*.example.com", image: "example/runtime" } },
    };
    const config = decodeConfig({ values: { cluster, provisioners, defaultProvisioner: "eu" } }, filesOf({}));
    recorder = mock(outputsOf, (call) => answerOf(call));
    await createFeatures([eks], config, { archives: {} }, readOwnState());
    await settled(recorder);
  });

  /** What we set on a resource, and a component has no option for. */
  const beyond = (type: string, known: ReadonlyMap<string, string>): string[] => {
    const all = recorder.resources.filter((one) => one.type === type);
    assert.ok(all.length > 0, type);
    const set = all.flatMap(({ inputs }) => Object.keys(inputs).filter((key) => inputs[key] !== undefined));
    return [...new Set(set)].filter((key) => !known.has(key)).sort();
  };

  it("have an update policy and node repair, which ManagedNodeGroup lacks", () => {
    const known = argumentsOf("managedNodeGroup.d.ts", "ManagedNodeGroupArgs");
    assert.deepEqual(beyond("aws:eks/nodeGroup:NodeGroup", known), ["nodeRepairConfig", "updateConfig"]);
    assert.ok(known.has("diskSize") && known.has("launchTemplate"));
  });

  it("have add-ons with pod identity, which Addon lacks, without the component Cluster", () => {
    const known = argumentsOf("addon.d.ts", "AddonArgs");
    assert.deepEqual(beyond("aws:eks/addon:Addon", known), ["clusterName", "podIdentityAssociations"]);
    assert.equal(known.get("cluster"), "pulumi.Input<Cluster>");
  });

  it("have no security group of nodes, which NodeGroupSecurityGroup creates", () => {
    assert.deepEqual(
      recorder.resources.filter(({ type }) => type.includes("SecurityGroup")),
      [],
    );
    assert.ok(argumentsOf("nodeGroupSecurityGroup.d.ts", "NodeGroupSecurityGroupArgs").has("clusterSecurityGroup"));
  });

  it("have no administrator beyond the config, whereas Cluster always adds its creator", () => {
    const known = argumentsOf("cluster.d.ts", "ClusterArgs");
    const configurable = ["accessEntries", "authenticationMode", "autoMode", "deletionProtection"];
    assert.deepEqual(
      configurable.filter((key) => !known.has(key)),
      [],
    );
    assert.deepEqual(
      [...known.keys()].filter((key) => /creatorAdmin|accessConfig/i.test(key)),
      [],
    );
  });
});
