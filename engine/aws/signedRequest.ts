import { Failure, messageOf } from "../../foundation/errors";

interface AwsRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface AwsAccess {
  readonly service: string;
  readonly region: string;
  readonly profile?: string;
}

const PATIENCE_MS = 30_000;

/** Signs a request with the credentials that the AWS SDK finds, and sends it. */
export async function signedRequest(request: AwsRequest, { service, region, profile }: AwsAccess): Promise<Response> {
  const [{ SignatureV4 }, { HttpRequest }, { Sha256 }, credentials] = await Promise.all([
    import("@smithy/signature-v4"),
    import("@smithy/protocol-http"),
    import("@aws-crypto/sha256-js"),
    import("@aws-sdk/credential-providers"),
  ]);
  const { method, url, headers, body } = request;
  const signer = new SignatureV4({
    credentials: credentials.fromNodeProviderChain({ ...(profile && { profile }), clientConfig: { region } }),
    region,
    service,
    sha256: Sha256,
    // S3 signs keys without a second URI encoding.
    uriEscapePath: service !== "s3",
  });
  const signed = await signer
    .sign(
      new HttpRequest({
        method,
        protocol: url.protocol,
        hostname: url.hostname,
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        ...(url.port && { port: Number(url.port) }),
        ...(body !== undefined && { body }),
        headers: { host: url.host, ...headers },
      }),
    )
    .catch((cause: unknown) => {
      const why = messageOf(cause);
      throw new Failure(`no credentials of AWS: ${why}; sign in (AWS_PROFILE, AWS_ACCESS_KEY_ID or single sign-on)`);
    });
  return fetch(url, { method, headers: signed.headers, body: body ?? null, signal: AbortSignal.timeout(PATIENCE_MS) });
}
