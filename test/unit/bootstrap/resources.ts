import assert from "node:assert/strict";
import { bootstrapTemplate, type BootstrapOptions } from "../../../cli/bootstrap/template";

export const OPTIONS: BootstrapOptions = {
  repository: "acme/platform",
  name: "stackyard",
  clusters: "stackyard-",
  deploy: ["staging", "prod"],
  preview: ["preview", "plan"],
  existingTrust: false,
};

export interface Role {
  readonly Properties: {
    readonly Path: string;
    readonly AssumeRolePolicyDocument: unknown;
    readonly Policies: readonly { readonly PolicyDocument: { readonly Statement: readonly Statement[] } }[];
  };
}
interface Statement {
  readonly Sid: string;
  readonly Effect: string;
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
  readonly Condition?: object;
}

/** Resources of the template, as CloudFormation would have put values into them. */
export function resourcesOf(more: Partial<BootstrapOptions> = {}): Record<string, Role> {
  const values: Record<string, string> = {
    "AWS::Partition": "aws",
    "AWS::Region": "ap-southeast-2",
    "AWS::AccountId": "123456789012",
    "StateBucket.Arn": "arn:aws:s3:::stackyard-state-123456789012-ap-southeast-2",
  };
  const settled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(settled);
    if (typeof value !== "object" || value === null) return value;
    const { "Fn::Sub": text, "Fn::GetAtt": part } = value as { "Fn::Sub"?: string; "Fn::GetAtt"?: string[] };
    if (text !== undefined)
      return text.replace(/\$\{([^}]+)\}/g, (_, name: string) => values[name] ?? assert.fail(name));
    if (part?.[0] === "StateBucket") return values["StateBucket.Arn"];
    if (part !== undefined) return "arn:aws:kms:ap-southeast-2:123456789012:key/00000000-0000-0000-0000-000000000000";
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, settled(inner)]));
  };
  return settled(bootstrapTemplate({ ...OPTIONS, ...more })["Resources"]) as Record<string, Role>;
}

export const policyOf = (role: Role | undefined) =>
  role?.Properties.Policies[0]?.PolicyDocument ?? assert.fail("no policy");
