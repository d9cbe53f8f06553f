/** Tokens for EKS clusters where the aws CLI is not installed: what `aws eks get-token` prints, signed here. */

import path from "node:path";
import { parseArgs } from "node:util";

export interface EksTokenRequest {
  readonly cluster: string;
  readonly region?: string;
  /** A role to take on first. */
  readonly roleArn?: string;
  readonly profile?: string;
}

export interface EksToken {
  readonly token: string;
  /** In milliseconds since 1970. */
  readonly expires: number;
}

/** Where EKS looks for the cluster's name in what was signed. */
const CLUSTER_HEADER = "x-k8s-aws-id";
/** The API server takes a token for fifteen minutes from its signature on, however long that would be good for AWS. */
const GOOD_FOR_MS = 14 * 60_000;
const SIGNED_FOR_S = 60;

const OPTIONS = {
  "cluster-name": { type: "string" },
  region: { type: "string" },
  "role-arn": { type: "string" },
  profile: { type: "string" },
  output: { type: "string" },
} as const;

/** What a command line asks for; undefined for anything but `aws eks get-token` with the options known here. */
export function eksTokenRequest(command: string, args: readonly string[]): EksTokenRequest | undefined {
  if (path.basename(command) !== "aws") return undefined;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
    const cluster = values["cluster-name"];
    if (positionals.join(" ") !== "eks get-token" || cluster === undefined) return undefined;
    if (values.output !== undefined && values.output !== "json") return undefined;
    return { cluster, region: values.region, roleArn: values["role-arn"], profile: values.profile };
  } catch {
    return undefined; // An option that only the aws CLI knows.
  }
}

/**
 * Signs with what the AWS SDK finds: environment, profile, single sign-on, web identity, the container or the machine.
 * Throws when there are no credentials, naming the cluster; nothing of them is in the error.
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
  // The SDK reads this process's environment; a kubeconfig may set keys of its own for the plugin.
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
  const hostname = `sts.${region}.${region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com"}`;
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
  return { token, expires: Date.now() + GOOD_FOR_MS };
}
