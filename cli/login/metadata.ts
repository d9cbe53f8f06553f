import * as z from "zod";
import { Failure, messageOf } from "../../foundation/errors";

/** How a user gets a token of the service: an issuer, the public client, and what to request of it. */
export interface Issuing {
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: string;
  readonly audience: string;
}

/** The protected resource metadata of the service (RFC 9728), with the service's own fields. */
const schema = z.object({
  authorization_servers: z.array(z.url()).optional(),
  scopes_supported: z.array(z.string()).optional(),
  stackyard_client_id: z.string().optional(),
  stackyard_audience: z.string().optional(),
});

const TIMEOUT_MS = 15_000;

/** Asks the service how users log in. Throws if they need a token from elsewhere. */
export async function issuingOf(api: string): Promise<Issuing> {
  const url = new URL(api);
  const at = new URL(`/.well-known/oauth-protected-resource${url.pathname}`, url);
  const response = await fetch(at, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((error: unknown) => {
    throw new Failure(`the service at ${url.origin} does not answer: ${messageOf(error)}`);
  });
  const content: unknown = response.ok ? await response.json().catch(() => undefined) : undefined;
  const { data } = schema.safeParse(content);
  if (!data) throw new Failure(`${at.href} answered ${response.status}; is ${api} the API of a Stackyard service?`);
  const { authorization_servers: [issuer] = [], scopes_supported: scopes = [] } = data;
  const { stackyard_client_id: clientId, stackyard_audience: audience } = data;
  if (issuer === undefined || clientId === undefined || audience === undefined) {
    const missing =
      issuer === undefined ? "issuer (APP_OIDC_ISSUER)" : "client for the command line (APP_OIDC_CLIENT_ID)";
    throw new Failure(`the service has no ${missing}; log in with a token: stackyard login ${api} --with-token`);
  }
  return { issuer, clientId, audience, scope: scopes.join(" ") };
}
