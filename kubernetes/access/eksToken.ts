/** Creates tokens for EKS clusters without the aws CLI: the same tokens that `aws eks get-token` prints. */

import { partition } from "../../foundation/iam/partitions";
import path from "node:path";
import { parseArgs } from "node:util";

interface EksTokenRequest {
  readonly cluster: string;
  readonly region?: string;
  /** A role to assume first. */
  readonly roleArn?: string;
  readonly profile?: string;
}

interface EksToken {
  readonly token: string;
  /** Expiry, in milliseconds since 1970. */
  readonly expires: number;
}

/** Signed header in which EKS expects the name of the cluster. */
const CLUSTER_HEADER = "x-k8s-aws-id";
/** The API server accepts a token for 15 minutes after it was signed, regardless of its expiry in AWS. */
const VALID_FOR_MS = 14 * 60_000;
const SIGNED_FOR_S = 60;

const OPTIONS = {
  "cluster-name": { type: "string" },
  region: { type: "string" },
  "role-arn": { type: "string" },
  profile: { type: "string" },
  output: { type: "string" },
} as const;

/** Parses a command line. Returns undefined for anything but `aws eks get-token` with supported options. */
export function eksTokenRequest(command: string, args: readonly string[]): EksTokenRequest | undefined {
  if (path.basename(command) !== "aws") return undefined;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
    const cluster = values["cluster-name"];
    if (positionals.join(" ") !== "eks get-token" || cluster === undefined) return undefined;
    if (values.output !== undefined && values.output !== "json") return undefined;
    return { cluster, region: values.region, roleArn: values["role-arn"], profile: values.profile };
  } catch {
    return undefined; // An option that only the aws CLI supports.
  }
}

/**
 * Signs with the default credential chain of the AWS SDK: environment, profile, single sign-on, web identity,
 * container, instance. Throws an error that names the cluster if there are no credentials. The error contains no
 * secrets.
 */
export async function eksToken(request: EksTokenRequest, env: NodeJS.ProcessEnv = process.env): Promise<EksToken> {
  const { cluster } = request;
  const region = request.region ?? env["AWS_REGION"] ?? env["AWS_DEFAULT_REGION"];
  if (region === undefined) {
    throw new Error(`no token for the EKS cluster ${cluster}: its region is unknown; set AWS_REGION or --region`);
  }
  const [{ SignatureV4 }, { HttpRequest }, { Sha256 }, credentials] = await Promise.all([
    import("@smithy/signature-v4"),
    import("@smithy/protocol-http"),
    import("@aws-crypto/sha256-js"),
    import("@aws-sdk/credential-providers"),
  ]);
  const { profile = env["AWS_PROFILE"], roleArn } = request;
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = env;
  // The SDK reads this process's environment, but a kubeconfig may set other keys for the plugin.
  const own =
    profile === undefined && accessKeyId && secretAccessKey
      ? { accessKeyId, secretAccessKey, sessionToken }
      : credentials.fromNodeProviderChain({ profile, clientConfig: { region } });
  const signer = new SignatureV4({
    credentials:
      roleArn === undefined
        ? own
        : credentials.fromTemporaryCredentials({
            masterCredentials: own,
            params: { RoleArn: roleArn, RoleSessionName: "EKSGetTokenAuth" },
            clientConfig: { region },
          }),
    region,
    service: "sts",
    sha256: Sha256,
  });
  const hostname = `sts.${region}.${partition(region).domain}`;
  const signed = await signer
    .presign(
      new HttpRequest({
        method: "GET",
        protocol: "https:",
        hostname,
        path: "/",
        query: { Action: "GetCallerIdentity", Version: "2011-06-15" },
        headers: { host: hostname, [CLUSTER_HEADER]: cluster },
      }),
      { expiresIn: SIGNED_FOR_S },
    )
    .catch((cause: unknown) => {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new Error(
        `no token for the EKS cluster ${cluster}: ${why}; sign in to AWS (AWS_PROFILE, AWS_ACCESS_KEY_ID or single sign-on)`,
        { cause },
      );
    });
  const query = Object.entries(signed.query ?? {}).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`,
  );
  const address = `https://${hostname}/?${query.join("&")}`;
  const token = `k8s-aws-v1.${Buffer.from(address).toString("base64url")}`;
  return { token, expires: Date.now() + VALID_FOR_MS };
}
