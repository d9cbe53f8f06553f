import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { eksTokenRequest } from "../../../kubernetes/access/eksToken";
import { runPlugin } from "../../../kubernetes/access/execCredential";

const standIn = path.join(__dirname, "../../../cli/aws/bin/aws");
const asked = ["--region", "eu-central-1", "eks", "get-token", "--cluster-name", "acme", "--output", "json"];
const signedIn = { AWS_ACCESS_KEY_ID: "AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY: "not-a-secret", AWS_SESSION_TOKEN: "more" };

/** The request that a token stands for. */
function signed(token: string): URL {
  const [, address = ""] = /^k8s-aws-v1\.([\w-]+)$/.exec(token) ?? assert.fail(`not a token: ${token}`);
  return new URL(Buffer.from(address, "base64url").toString());
}

describe("tokens for EKS clusters without the aws CLI", () => {
  let folder = "";
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), "stackyard-eks-"))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Nothing of this machine's AWS, and nobody to ask for credentials. */
  const alone = (): NodeJS.ProcessEnv => ({
    PATH: path.dirname(process.execPath),
    HOME: folder,
    AWS_EC2_METADATA_DISABLED: "true",
  });
  const run = (args: readonly string[], env: NodeJS.ProcessEnv) =>
    spawnSync(process.execPath, [standIn, ...args], { encoding: "utf8", env: { ...alone(), ...env } });

  it("are requested by the command line in kubeconfigs, and by no other", () => {
    assert.deepEqual(
      { ...eksTokenRequest("/usr/local/bin/aws", asked) },
      {
        cluster: "acme",
        region: "eu-central-1",
        roleArn: undefined,
        profile: undefined,
      },
    );
    const more = eksTokenRequest("aws", [
      "eks",
      "get-token",
      "--cluster-name=a",
      "--role-arn",
      "arn:r",
      "--profile",
      "p",
    ]);
    assert.deepEqual([more?.cluster, more?.roleArn, more?.profile], ["a", "arn:r", "p"]);
    assert.equal(eksTokenRequest("gcloud", asked), undefined);
    assert.equal(eksTokenRequest("aws", ["eks", "list-clusters"]), undefined);
    assert.equal(eksTokenRequest("aws", ["eks", "get-token"]), undefined);
    assert.equal(eksTokenRequest("aws", [...asked, "--cluster-id", "x"]), undefined);
    assert.equal(eksTokenRequest("aws", [...asked.slice(0, -1), "text"]), undefined);
  });

  it("are created for kubeconfigs if aws is not on PATH", async () => {
    const env = Object.entries({ ...signedIn, PATH: folder }).map(([name, value]) => ({ name, value }));
    const server = new URL("https://one:6443");
    const { token = "", expires = 0 } = await runPlugin({
      exec: { command: "aws", args: asked, env },
      cluster: {},
      server,
    });
    assert.equal(signed(token).hostname, "sts.eu-central-1.amazonaws.com");
    assert.ok(Math.abs(expires - Date.now() - 14 * 60_000) < 60_000);
  });

  it("sign the name of the cluster, and are valid at AWS for one minute", () => {
    const { stdout, stderr, status } = run(asked, signedIn);
    assert.equal(status, 0, stderr);
    const { kind, status: answer } = JSON.parse(stdout) as { kind: string; status: Record<string, string> };
    assert.equal(kind, "ExecCredential");
    assert.match(answer["expirationTimestamp"] ?? "", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const { searchParams } = signed(answer["token"] ?? "");
    assert.equal(searchParams.get("Action"), "GetCallerIdentity");
    assert.equal(searchParams.get("X-Amz-Expires"), "60");
    assert.equal(searchParams.get("X-Amz-SignedHeaders"), "host;x-k8s-aws-id");
    assert.equal(searchParams.get("X-Amz-Security-Token"), "more");
    assert.doesNotMatch(decodeURIComponent(searchParams.toString()), /not-a-secret/);
  });

  it("use the STS of China for clusters in China", () => {
    const { stdout } = run(["--region", "cn-north-1", "eks", "get-token", "--cluster-name", "acme"], signedIn);
    const { status } = JSON.parse(stdout) as { status: { token: string } };
    assert.equal(signed(status.token).hostname, "sts.cn-north-1.amazonaws.com.cn");
  });

  it("cause an error with advice if the user is not signed in or the region is unknown", () => {
    const nobody = run(asked, {});
    assert.equal(nobody.status, 1);
    assert.match(nobody.stderr, /no token for the EKS cluster acme: .*sign in to AWS/);
    const nowhere = run(["eks", "get-token", "--cluster-name", "acme"], signedIn);
    assert.equal(nowhere.status, 1);
    assert.match(nowhere.stderr, /region is unknown; set AWS_REGION/);
    const other = run(["s3", "ls"], signedIn);
    assert.equal(other.status, 2);
    assert.match(other.stderr, /the aws CLI is not installed/);
  });
});
