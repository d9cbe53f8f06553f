import assert from "node:assert/strict";
import { policyOf, resourcesOf } from "../../unit/bootstrap/resources";
import { lint } from "./linter";

describe("the roles of CI on AWS", function () {
  this.timeout(60_000);

  it("pass the IAM linter", async function () {
    const { PreviewRole, DeployRole } = resourcesOf();
    const bounded = resourcesOf({ permissionsBoundary: "arn:aws:iam::123456789012:policy/bounds/platform" });
    const result = await lint({
      preview: JSON.stringify(policyOf(PreviewRole)),
      deploy: JSON.stringify(policyOf(DeployRole)),
      bounded: JSON.stringify(policyOf(bounded["DeployRole"])),
    });
    if ("missing" in result) return this.skip();
    // Some of ec2:Describe* could be held to resources; public parameters of SSM belong to no account. AWS' own examples
    // compare a boundary as text, exactly; an ARN would be a pattern.
    const known = /RESOURCE_STAR|RESOURCE_MISMATCH .*'ssm:GetParameter'|MISMATCHED_TYPE_BUT_USABLE .* StringEquals/;
    assert.deepEqual(
      result.findings.filter((finding) => !known.test(finding)),
      [],
    );
  });
});
