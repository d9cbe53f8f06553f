import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { RESOURCE_POLICIES } from "../../../policy/rules/resourcePolicies";
import { iam } from "../../../policy/rules/iam";

const PACKAGE = path.join(__dirname, "../../../node_modules/@pulumi/aws");

/** Properties of this name may have an IAM document. */
const NAMES = /^(policy|policyDocument|accessPolic(y|ies)|\w+(Inline|Resource|Repository|Destination)Policy|(inline|resource|repository|session)Policy)$/; // prettier-ignore

/** Properties of such a name that say nothing about who may do what, each with the reason. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  "limits what other documents allow": [
    ...["ec2/vpcEndpoint:VpcEndpoint", "ec2/vpcEndpointPolicy:VpcEndpointPolicy", "transfer/access:Access"],
    ...["eks/podIdentityAssociation:PodIdentityAssociation", "rolesanywhere/profile:Profile", "transfer/user:User"],
  ],
  "is about something else": [
    ...["cloudwatch/logAccountPolicy:LogAccountPolicy", "cloudwatch/logDataProtectionPolicy:LogDataProtectionPolicy"],
    ...["cloudwatch/logIndexPolicy:LogIndexPolicy", "ecr/lifecyclePolicy:LifecyclePolicy"],
    ...["networkmanager/coreNetworkPolicyAttachment:CoreNetworkPolicyAttachment", "ses/receiptFilter:ReceiptFilter"],
    ...[
      "opensearch/serverlessLifecyclePolicy:ServerlessLifecyclePolicy",
      "iot/policyAttachment:PolicyAttachment",
      "sns/dataProtectionPolicy:DataProtectionPolicy",
    ],
  ],
  "is in the language Cedar": ["verifiedaccess/endpoint:Endpoint", "verifiedaccess/group:Group"],
  "is checked by not-public": ["opensearch/serverlessSecurityPolicy:ServerlessSecurityPolicy"],
};

/** Properties by type, from the interfaces of arguments. */
function argumentsOf(): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const file of globSync("*/*.d.ts", { cwd: PACKAGE })) {
    const [, name, body] = /export interface (\w+)Args \{\n([\s\S]*?)\n\}/.exec(readFileSync(path.join(PACKAGE, file), "utf8")) ?? []; // prettier-ignore
    if (name === undefined || /^Get[A-Z]/.test(name)) continue;
    const keys = [...(body ?? "").matchAll(/^ {4}(\w+)\??: (?!.*inputs\.\w+\.(?!PolicyDocument))/gm)];
    found.set(
      `${file.replace(/\.d\.ts$/, "")}:${name}`,
      keys.flatMap(([, key]) => key ?? []),
    );
  }
  return found;
}

describe("the policies of resources on AWS", () => {
  const all = argumentsOf();

  it("are those of the package @pulumi/aws", () => {
    const other = new Set(Object.values(OTHERS).flat());
    const unknown = [...all].filter(
      ([type, keys]) => keys.some((key) => NAMES.test(key)) && !other.has(type) && !isChecked(`aws:${type}`),
    );
    assert.ok(all.size > 1200, String(all.size));
    assert.deepEqual(
      unknown.map(([type]) => type),
      [],
    );
  });

  it("are where the package has them", () => {
    for (const [type, { at }] of Object.entries(RESOURCE_POLICIES)) {
      const keys = all.get(type.replace(/^aws:/, ""));
      // Nested properties have a type of their own.
      assert.ok(keys !== undefined && (at.includes(".") || keys.includes(at)), `${type} ${at}`);
    }
    for (const type of Object.values(OTHERS).flat()) assert.ok(all.has(type), type);
  });

  for (const [type, { at, of }] of Object.entries(RESOURCE_POLICIES)) {
    it(`reject everybody: ${type}`, () => {
      const document: unknown = { Statement: [{ Effect: "Allow", Principal: "*", Action: "x:Y", Resource: "*" }] };
      const props = at.split(".").reduceRight<unknown>((inner, key) => ({ [key]: inner }), document);
      const found = iam.check({ type, props: props as object as Record<string, unknown>, name: "it", stack: "dev", isProtected: true }); // prettier-ignore
      assert.match(found[0]?.message ?? "", new RegExp(`expected the principals that may use the ${of}$`));
    });
  }
});

/** Whether the rule finds something in the worst document at any of these names. */
function isChecked(type: string): boolean {
  const statement = { Effect: "Allow", Principal: "*", Action: "*", Resource: "*" };
  const document = { Statement: [statement], Principal: "*", rules: [] };
  const props = Object.fromEntries(
    ["policy", "policyDocument", "accessPolicy", "accessPolicies", "inlinePolicy", "resourcePolicy", "repositoryPolicy", "deliveryDestinationPolicy"].map((key) => [key, document]), // prettier-ignore
  );
  return iam.check({ type, props, name: "it", stack: "dev", isProtected: true }).length > 0;
}
