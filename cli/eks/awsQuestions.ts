/** What AWS is asked for the versions of add-ons and node images. */

import { Failure } from "../../foundation/errors";

const json = "application/x-amz-json-1.1";

/** Signs with what the AWS SDK finds, and asks. `AWS_ENDPOINT_URL_EKS` and `AWS_ENDPOINT_URL_SSM` are other addresses, as the SDK has them. */
export class AwsQuestions {
  constructor(
    private readonly region: string,
    private readonly env: NodeJS.ProcessEnv = process.env,
  ) {}

  /** The version of an add-on that EKS installs by default on a Kubernetes minor; undefined where it has none. */
  async usualAddon(addonName: string, minor: string): Promise<string | undefined> {
    const query = { addonName, kubernetesVersion: minor };
    const { addons = [] } = (await this.ask("eks", { method: "GET", path: "/addons/supported-versions", query })) as {
      addons?: {
        addonVersions?: {
          addonVersion?: string;
          compatibilities?: { clusterVersion?: string; defaultVersion?: boolean }[];
        }[];
      }[];
    };
    const versions = addons.flatMap(({ addonVersions = [] }) => addonVersions);
    return versions.find(({ compatibilities = [] }) =>
      compatibilities.some((one) => one.clusterVersion === minor && one.defaultVersion === true),
    )?.addonVersion;
  }

  /** The value of a public parameter of Systems Manager. */
  async parameter(name: string): Promise<string> {
    const body = JSON.stringify({ Name: name });
    const headers = { "content-type": json, "x-amz-target": "AmazonSSM.GetParameter" };
    const answer = (await this.ask("ssm", { method: "POST", path: "/", headers, body })) as {
      Parameter?: { Value?: string };
    };
    const value = answer.Parameter?.Value;
    if (value === undefined) throw new Failure(`Systems Manager has no parameter ${name} in ${this.region}`);
    return value;
  }

  private async ask(
    service: "eks" | "ssm",
    request: { method: string; path: string; query?: Record<string, string>; headers?: object; body?: string },
  ): Promise<unknown> {
    const [{ SignatureV4 }, { HttpRequest }, { Sha256 }, credentials] = await Promise.all([
      import("@smithy/signature-v4"),
      import("@smithy/protocol-http"),
      import("@aws-crypto/sha256-js"),
      import("@aws-sdk/credential-providers"),
    ]);
    const { region } = this;
    const profile = this.env["AWS_PROFILE"];
    const signer = new SignatureV4({
      credentials: credentials.fromNodeProviderChain({ ...(profile && { profile }), clientConfig: { region } }),
      region,
      service,
      sha256: Sha256,
    });
    const url = new URL(this.env[`AWS_ENDPOINT_URL_${service.toUpperCase()}`] ?? `https://${hostOf(service, region)}`);
    const signed = await signer
      .sign(
        new HttpRequest({
          ...request,
          protocol: url.protocol,
          hostname: url.hostname,
          ...(url.port && { port: Number(url.port) }),
          headers: { host: url.host, ...request.headers },
        }),
      )
      .catch((cause: unknown) => {
        const why = cause instanceof Error ? cause.message : String(cause);
        throw new Failure(`no credentials of AWS: ${why}; sign in (AWS_PROFILE, AWS_ACCESS_KEY_ID or single sign-on)`);
      });
    url.pathname = request.path;
    for (const [key, value] of Object.entries(request.query ?? {})) url.searchParams.set(key, value);
    const { method, body } = request;
    const response = await fetch(url, {
      method,
      headers: signed.headers,
      body: body ?? null,
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    if (!response.ok) throw new Failure(`${service} of ${region} answers ${response.status}: ${text.slice(0, 500)}`);
    return JSON.parse(text);
  }
}

const hostOf = (service: string, region: string): string =>
  `${service}.${region}.${region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com"}`;
