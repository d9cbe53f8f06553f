import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Arguments of a resource according to the typings in the package @pulumi/aws. */

const AWS = dirname(require.resolve("@pulumi/aws/package.json"));

export interface Property {
  readonly required: boolean;
  readonly type: string;
  /** Values in its description, such as `ON_DEMAND`; empty if it lists none. */
  readonly values: readonly string[];
  /** Whether a change replaces the resource. */
  readonly replaces: boolean;
}
export type Shape = Readonly<Record<string, Property>>;

/** Properties that replace the resource although the typings don't say so. */
const REPLACING: Readonly<Record<string, readonly string[]>> = {
  "eks/cluster": ["name", "roleArn", "kubernetesNetworkConfig", "bootstrapSelfManagedAddons"],
  "eks/nodeGroup": [
    "clusterName",
    "nodeRoleArn",
    "subnetIds",
    "instanceTypes",
    "amiType",
    "capacityType",
    "nodeGroupNamePrefix",
  ],
  "eks/addon": ["clusterName", "addonName"],
  "eks/accessEntry": ["clusterName", "principalArn"],
  "eks/accessPolicyAssociation": ["clusterName", "principalArn", "policyArn", "accessScope"],
  "eks/podIdentityAssociation": ["clusterName", "namespace", "serviceAccount"],
  "ec2/vpc": ["cidrBlock"],
  "ec2/subnet": ["vpcId", "availabilityZone", "cidrBlock"],
  "ec2/natGateway": ["allocationId", "subnetId"],
  "iam/role": ["name"],
  "iam/rolePolicyAttachment": ["role", "policyArn"],
  "cloudwatch/logGroup": ["name"],
};

const input = (() => {
  let text: string | undefined;
  return () => (text ??= readFileSync(join(AWS, "types/input.d.ts"), "utf8"));
})();
const known = new Map<string, Shape>();

/** Returns the arguments of a type such as `aws:eks/nodeGroup:NodeGroup`. Throws for unknown types. */
export function argumentsOf(token: string): Shape {
  const cached = known.get(token);
  if (cached) return cached;
  const [, path = "", name = ""] = token.split(":");
  const file = join(AWS, `${path}.d.ts`);
  if (!existsSync(file)) throw new Error(`@pulumi/aws has no resource ${token}`);
  const shape = shapeOf(readFileSync(file, "utf8"), `interface ${name}Args {`, REPLACING[path] ?? []);
  known.set(token, shape);
  return shape;
}

/** Returns the fields of a type such as `inputs.eks.ClusterVpcConfig`; undefined for types outside of the package. */
export function nestedOf(type: string): Shape | undefined {
  const [, namespace, name] = /inputs\.(\w+)\.(\w+)/.exec(type) ?? [];
  if (namespace === undefined || name === undefined) return undefined;
  const key = `${namespace}.${name}`;
  const cached = known.get(key);
  if (cached) return cached;
  const start = input().indexOf(`export declare namespace ${namespace} {`);
  const shape = shapeOf(input().slice(start), `interface ${name} {`, []);
  known.set(key, shape);
  return shape;
}

function shapeOf(text: string, head: string, replacing: readonly string[]): Shape {
  const start = text.indexOf(head);
  if (start < 0) throw new Error(`the typings of @pulumi/aws have no ${head}`);
  const indent = /^ */m.exec(text.slice(text.lastIndexOf("\n", start) + 1))?.[0] ?? "";
  const body = text.slice(start + head.length, text.indexOf(`\n${indent}}`, start));
  const property = new RegExp(`^${indent} {4}(\\w+)(\\??): ([^;{]*(?:\\{[^}]*\\}[^;]*)?);`, "gm");
  const shape: Record<string, Property> = {};
  let end = 0;
  for (const match of body.matchAll(property)) {
    const [whole, name = "", optional = "", type = ""] = match;
    const about = body.slice(end, match.index);
    end = match.index + whole.length;
    const listed = /[Vv]alid values(?: are| include)?:? ((?:`[\w.-]+`(?:,? (?:and|or) |, )?)+)/.exec(about)?.[1] ?? "";
    shape[name] = {
      required: optional === "",
      type,
      values: [...listed.matchAll(/`([\w.-]+)`/g)].map(([, value = ""]) => value),
      replaces: replacing.includes(name) || /forces? (a )?new (resource|\w+ to be created)/i.test(about),
    };
  }
  return shape;
}
