import * as openid from "openid-client";
import { messageOf } from "../../../foundation/errors";
import { isLoopback } from "../loopback";
import type { Login } from "./store";

export { refreshTokenGrant, ResponseBodyError } from "openid-client";

/** The public client of an issuer. */
export interface Client {
  readonly issuer: string;
  readonly clientId: string;
}

/** How long an issuer may take to answer, in seconds. */
const TIMEOUT_SECONDS = 15;

/** Reads the endpoints of an issuer. */
export async function configOf(issuer: string, clientId: string): Promise<openid.Configuration> {
  const url = new URL(issuer);
  const execute = isLoopback(url) ? [openid.allowInsecureRequests] : [];
  return openid.discovery(url, clientId, undefined, openid.None(), { execute, timeout: TIMEOUT_SECONDS });
}

/** Returns the login that an issuer's answer gives. A refresh token that it does not replace stays. */
export function loginOf(
  client: Client,
  tokens: openid.TokenEndpointResponse & openid.TokenEndpointResponseHelpers,
  refreshToken?: string,
): Login {
  const seconds = tokens.expiresIn();
  // If the issuer does not report the end of a token, it is used until the service refuses it.
  if (seconds === undefined) return { token: tokens.access_token };
  const expires = new Date(Date.now() + seconds * 1000).toISOString();
  const next = tokens.refresh_token ?? refreshToken;
  return {
    token: tokens.access_token,
    renewal: { ...client, expires, ...(next !== undefined && { refreshToken: next }) },
  };
}

/** Revokes what renews a login. Returns why it could not; undefined if it is revoked, or if there is nothing to revoke. */
export async function revoke({ renewal }: Login): Promise<string | undefined> {
  if (renewal?.refreshToken === undefined) return undefined;
  try {
    const config = await configOf(renewal.issuer, renewal.clientId);
    if (config.serverMetadata().revocation_endpoint === undefined) return undefined;
    await openid.tokenRevocation(config, renewal.refreshToken, { token_type_hint: "refresh_token" });
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
