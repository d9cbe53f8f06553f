import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import path from "node:path";
import { eksToken } from "../../../kubernetes/access/eksToken";
import { pythonEnvironment } from "../../../toolchain/python/environment";

const root = path.join(__dirname, "../../..");

const parts = (token: string): [string, string][] => {
  const { origin, searchParams } = new URL(Buffer.from(token.replace("k8s-aws-v1.", ""), "base64url").toString());
  return [["origin", origin], ...[...searchParams].toSorted(([a], [b]) => a.localeCompare(b))];
};

describe("tokens for EKS clusters", () => {
  it("are signed as by the aws CLI's own library", async function () {
    const environment = await pythonEnvironment("iam", root);
    if ("missing" in environment) return this.skip();
    const env = {
      ...process.env,
      AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
      AWS_SECRET_ACCESS_KEY: "wJalr/UtnFEMI+K7MDENG",
      AWS_SESSION_TOKEN: "a/b+c=",
    };
    const { token } = await eksToken({ cluster: "acme-prod", region: "eu-central-1" }, env);
    const when = parts(token).find(([name]) => name === "X-Amz-Date")?.[1] ?? "";
    const script = path.join(root, "test/fixtures/signEksToken.py");
    const theirs = execFileSync(environment.python, [script, "acme-prod", "eu-central-1", when], {
      env,
      encoding: "utf8",
    });
    assert.deepEqual(parts(token), parts(theirs.trim()));
  });
});
