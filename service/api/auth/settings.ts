import type { Values } from "../../environment";
import type { Verifiers } from "./caller";
import { oidcVerifier } from "./oidc";
import { staticIdentities } from "./tokens";

/** How users get a token of the service's issuer. */
export interface TokenIssuing {
  readonly issuer?: string;
  readonly audience: string;
  /** Public client for the command line. Default: users log in with a token that they have. */
  readonly clientId?: string;
  readonly scopes: string;
}

export const issuingOf = (values: Values): TokenIssuing => ({
  issuer: values.APP_OIDC_ISSUER,
  audience: values.APP_OIDC_AUDIENCE,
  clientId: values.APP_OIDC_CLIENT_ID,
  scopes: values.APP_OIDC_SCOPES,
});

export function verifiersOf(values: Values): Verifiers {
  const { APP_STATIC_TOKENS: tokens, APP_OIDC_ISSUER: issuer } = values;
  return {
    ...(tokens && { known: staticIdentities(tokens) }),
    ...(issuer !== undefined && {
      issued: oidcVerifier({
        issuer,
        audience: values.APP_OIDC_AUDIENCE,
        clockSkewMs: values.APP_OIDC_CLOCK_SKEW,
        rolesClaim: values.APP_OIDC_ROLES_CLAIM,
        ...(values.APP_OIDC_JWKS_URL !== undefined && { jwksUrl: values.APP_OIDC_JWKS_URL }),
      }),
    }),
  };
}
