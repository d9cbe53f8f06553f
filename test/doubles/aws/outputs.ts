import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import { UNKNOWN } from "../../../foundation/pulumi/resource";

/** Outputs that AWS returns in addition to the inputs; unknown in a preview. */

const ACCOUNT = "123456789012";
const PREFIXES: Readonly<Record<string, string>> = {
  Vpc: "vpc",
  Subnet: "subnet",
  RouteTable: "rtb",
  Eip: "eipalloc",
  NatGateway: "nat",
  InternetGateway: "igw",
  LaunchTemplate: "lt",
};

type Values = Readonly<Record<string, unknown>>;

/** Returns the id of a new resource, unique in the account. */
export function idOf(token: string, inputs: Values, number: number): string {
  const type = token.split(":").at(-1) ?? "";
  const prefix = PREFIXES[type];
  if (prefix !== undefined) return `${prefix}-double-${number}`;
  if (type === "AccessPolicyAssociation")
    return ["clusterName", "principalArn", "policyArn"].map((key) => String(inputs[key])).join("#");
  if (type === "Cluster" || type === "Role") return String(inputs["name"]);
  return `${type}-${number}`;
}

const KUBECONFIG = process.env["STACKYARD_AWS_DOUBLE_KUBECONFIG"] ?? "";

/** Returns the outputs by type; every type has an ARN. `kubeconfig`: of the API server that stands for a cluster's. */
export function outputsOf(token: string, id: string, inputs: Values, kubeconfig = KUBECONFIG): Values {
  const type = token.split(":").at(-1) ?? "";
  const service = token.split(":")[1]?.split("/")[0];
  const arn = `arn:aws:${service}:eu-central-1:${ACCOUNT}:${type.toLowerCase()}/${id}`;
  const name = inputs["name"] ?? id;
  return { ...inputs, name, arn, ...special(type, id, inputs, kubeconfig) };
}

function special(type: string, id: string, inputs: Values, kubeconfig: string): Values {
  switch (type) {
    case "Role":
      return { arn: `arn:aws:iam::${ACCOUNT}:role/${id}` };
    case "OpenIdConnectProvider":
      return { arn: `arn:aws:iam::${ACCOUNT}:oidc-provider/${String(inputs["url"]).replace("https://", "")}` };
    case "LaunchTemplate":
      return { latestVersion: 1 };
    case "Vpc":
      return { region: "eu-central-1" };
    case "NodeGroup":
      return {
        nodeGroupName: `${String(inputs["nodeGroupNamePrefix"])}${id}`,
        resources: [{ autoscalingGroups: [{ name: `asg-${id}` }] }],
      };
    case "Cluster": {
      const { server, authority } = realCluster(kubeconfig);
      const issuer = "https://oidc.eks.eu-central-1.amazonaws.com/id/0123456789ABCDEF0123456789ABCDEF";
      const found = { vpcId: "vpc-0123456789abcdef0", clusterSecurityGroupId: "sg-0123456789abcdef0" };
      const vpcConfig = { ...(inputs["vpcConfig"] as object), ...found };
      return {
        endpoint: server,
        certificateAuthority: { data: authority },
        identities: [{ oidcs: [{ issuer }] }],
        vpcConfig,
      };
    }
    default:
      return {};
  }
}

/** Returns the outputs that only AWS knows as unknown. */
export function unknownOutputs(token: string, inputs: Values): Values {
  const outputs = outputsOf(token, UNKNOWN, inputs);
  const known = Object.entries(outputs).map(([key, value]) => [key, key in inputs ? value : UNKNOWN]);
  const { vpcConfig } = inputs;
  const nested = { ...(vpcConfig as object), vpcId: UNKNOWN, clusterSecurityGroupId: UNKNOWN };
  return {
    ...(Object.fromEntries(known) as Values),
    ...(token === "aws:eks/cluster:Cluster" && vpcConfig !== undefined && vpcConfig !== UNKNOWN
      ? { vpcConfig: nested }
      : {}),
  };
}

/** The real API server that stands for the cluster's. */
function realCluster(kubeconfig: string): { server: string; authority: string } {
  const text = readFileSync(kubeconfig, "utf8");
  const { clusters } = load(text) as { clusters: { cluster: Record<string, string> }[] };
  const { server = "", "certificate-authority-data": authority = "" } = clusters[0]?.cluster ?? {};
  return { server, authority };
}
