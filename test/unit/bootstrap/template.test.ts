import assert from "node:assert/strict";
import { permissionFindings } from "../../../foundation/iam/permissions";
import { trustFindings } from "../../../foundation/iam/principals";
import { bootstrapTemplate } from "../../../cli/bootstrap/template";
import { OPTIONS, policyOf, resourcesOf, type Role } from "./resources";

/** Statements for everything, or everything of a type, each with the reason. */
const UNSCOPED = {
  "statement Create": "IAM knows no resources for eks:CreateCluster and kms:CreateKey",
  "statement Network": "the ids of networks are generated",
  "statement Clusters": "whoever deploys decides who has access",
  "statement Keys": "the ids of keys are generated",
};

describe("the AWS resources for CI on GitHub", () => {
  for (const name of ["PreviewRole", "DeployRole"]) {
    it(`include a role that passes the policies of the project: ${name}`, () => {
      const role = resourcesOf()[name];
      const findings = permissionFindings(policyOf(role)).filter(({ part }) => !(part in UNSCOPED));
      assert.deepEqual(findings, []);
      assert.deepEqual(trustFindings(role?.Properties.AssumeRolePolicyDocument), []);
    });

    it(`include an inline policy within the limit of IAM, even for long names: ${name}`, () => {
      const permissionsBoundary = `arn:aws-us-gov:iam::123456789012:policy/${"x".repeat(128)}`;
      const role = resourcesOf({ clusters: "x".repeat(41), permissionsBoundary })[name];
      assert.ok(JSON.stringify(policyOf(role)).length <= 10_240, String(JSON.stringify(policyOf(role)).length));
    });
  }

  it("allow only jobs of the named environments to assume a role", () => {
    const { DeployRole: deploy, PreviewRole: preview } = resourcesOf();
    const subjects = (role: Role | undefined) =>
      JSON.stringify(role?.Properties.AssumeRolePolicyDocument).match(/repo:[^"]+/g);
    assert.deepEqual(subjects(deploy), [
      "repo:acme/platform:environment:staging",
      "repo:acme/platform:environment:prod",
    ]);
    assert.deepEqual(subjects(preview), [
      "repo:acme/platform:environment:preview",
      "repo:acme/platform:environment:plan",
    ]);
  });

  it("allow a preview to change only locks of stacks, and to read no data but the state", () => {
    const statements = policyOf(resourcesOf()["PreviewRole"]).Statement as readonly {
      readonly Sid: string;
      readonly Action: readonly string[];
      readonly Resource: readonly string[];
    }[];
    const actions = statements.filter(({ Sid }) => Sid !== "Locks").flatMap(({ Action }) => Action);
    const locks = statements.find(({ Sid }) => Sid === "Locks");
    const bucket = "arn:aws:s3:::stackyard-state-123456789012-ap-southeast-2";
    assert.deepEqual(locks?.Action, ["s3:DeleteObject", "s3:PutObject"]);
    assert.deepEqual(locks.Resource, [`${bucket}/.pulumi/stackyard/locks/*`]);
    // What is written is encrypted with a key made for it.
    const harmless = /^[a-z0-9]+:(Describe|Get|List)|^(kms:Decrypt|kms:GenerateDataKey|eks:AccessKubernetesApi)$/;
    assert.deepEqual(
      actions.filter((action) => !harmless.test(action)),
      [],
    );
    const objects = policyOf(resourcesOf()["PreviewRole"]).Statement.find(({ Action }) =>
      Action.includes("s3:GetObject"),
    );
    assert.deepEqual(objects?.Resource, ["arn:aws:s3:::stackyard-state-123456789012-ap-southeast-2/*"]);
  });

  it("include the permissions for an existing cluster and for a permissions boundary", () => {
    const actionsOf = (name: string) => policyOf(resourcesOf()[name]).Statement.flatMap(({ Action }) => Action);
    assert.ok(actionsOf("PreviewRole").includes("iam:ListOpenIDConnectProviders"));
    assert.ok(actionsOf("DeployRole").includes("iam:PutRolePermissionsBoundary"));
  });

  it("include the permissions for Karpenter's interruption queue, of these clusters only", () => {
    for (const [name, action] of [
      ["PreviewRole", "sqs:GetQueueAttributes"],
      ["DeployRole", "events:PutTargets"],
    ] as const) {
      const [found] = policyOf(resourcesOf()[name]).Statement.filter(({ Action }) => Action.includes(action));
      assert.deepEqual(found?.Resource, [
        "arn:aws:sqs:ap-southeast-2:123456789012:stackyard-*",
        "arn:aws:events:ap-southeast-2:123456789012:rule/stackyard-*",
      ]);
    }
  });

  it("allow a deployment to grant only to roles with the boundary, and never to remove it", () => {
    const permissionsBoundary = "arn:aws:iam::123456789012:policy/bounds/platform";
    const { Statement: statements } = policyOf(resourcesOf({ permissionsBoundary })["DeployRole"]);
    const grants = statements.filter(({ Action }) =>
      Action.some((one) =>
        /^iam:(Attach|Create|Detach|Put|Delete)\w*Role\w*(Policy|Boundary)$|^iam:CreateRole$/.test(one),
      ),
    );
    const bounded = { StringEquals: { "iam:PermissionsBoundary": permissionsBoundary } };
    assert.deepEqual(
      grants.map(({ Sid, Condition }) => [Sid, Condition]),
      [["GrantToRoles", bounded]],
    );
    const actions = statements.flatMap(({ Action }) => Action);
    assert.ok(!actions.includes("iam:DeleteRolePermissionsBoundary"));
    assert.ok(!actions.some((action) => /^iam:(Create|Delete|SetDefault)Policy/.test(action)), "nor change the policy");
    const unbounded = policyOf(resourcesOf()["DeployRole"]).Statement.find(({ Sid }) => Sid === "GrantToRoles");
    assert.ok(unbounded);
    assert.equal(unbounded.Condition, undefined);
    assert.ok(unbounded.Action.includes("iam:DeleteRolePermissionsBoundary"));
    const { Outputs } = bootstrapTemplate({ ...OPTIONS, permissionsBoundary }) as { Outputs: Record<string, object> };
    assert.deepEqual(Outputs["PermissionsBoundary"], {
      Description: "stackyard:cluster.roles.permissionsBoundary",
      Value: permissionsBoundary,
    });
  });

  it("do not allow a deployment to delete the key of the state", () => {
    const { Statement: statements } = policyOf(resourcesOf()["DeployRole"]);
    const denied = statements.find(({ Effect }) => Effect === "Deny");
    assert.ok(denied);
    assert.ok(denied.Action.includes("kms:ScheduleKeyDeletion"));
    assert.match(denied.Resource.join(), /^arn:aws:kms:\S+:key\/[0-9a-f-]+$/);
  });

  it("do not allow a deployment to change its own role", () => {
    const { DeployRole: deploy } = resourcesOf();
    assert.equal(deploy?.Properties.Path, "/ci/");
    const changes = policyOf(deploy).Statement.filter(({ Action }) => Action.includes("iam:PutRolePolicy"));
    assert.deepEqual(
      changes.map(({ Resource }) => Resource),
      [["arn:aws:iam::123456789012:role/stackyard-*"]],
    );
  });

  it("keep state, key and trust when the CloudFormation stack is deleted", () => {
    const resources = resourcesOf() as unknown as Record<string, { DeletionPolicy?: string }>;
    const kept = Object.entries(resources).flatMap(([name, one]) => (one.DeletionPolicy === "Retain" ? [name] : []));
    assert.deepEqual(kept, ["SecretsKey", "StateBucket", "GitHub"]);
  });

  it("use the trust in GitHub that the account already has", () => {
    const resources = resourcesOf({ existingTrust: true });
    assert.equal("GitHub" in resources, false);
    assert.match(
      JSON.stringify(resources["DeployRole"]?.Properties.AssumeRolePolicyDocument),
      /arn:aws:iam::123456789012:oidc-provider\/token\.actions\.githubusercontent\.com/,
    );
  });
});
