import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from "jose";
import { SERVICE_ACTORS } from "../../operations/input";
import { ApiError } from "../errors";
import { ALL, isRole, TENANT, type Identity, type Role } from "./identity";

export interface OidcSettings {
  readonly issuer: string;
  readonly audience: string;
  /** URL of the key set. Default: the one in the issuer's discovery document. */
  readonly jwksUrl?: string;
  readonly clockSkewMs: number;
  readonly rolesClaim: string;
  readonly fetch?: typeof fetch;
}

const TIMEOUT_MS = 5000;
/** A name that a person can read in the audit trail: without leading, trailing or invisible characters. */
const ACTOR = /^(?=.{1,255}$)[^\s\p{C}](?:[^\p{C}]*[^\s\p{C}])?$/u;
const EMAIL = /^[^\s@]+@[^\s@]+$/;
/** Only asymmetric signatures. `none` and shared keys are never accepted. */
const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];

/**
 * Verifies tokens of one issuer. The keys are fetched for the first token, and again for a token with an unknown key.
 */
export function oidcVerifier(settings: OidcSettings): (token: string) => Promise<Identity> {
  let keys: Promise<JWTVerifyGetKey> | undefined;
  const keysOf = (): Promise<JWTVerifyGetKey> => {
    keys ??= remoteKeys(settings).catch((error: unknown) => {
      keys = undefined;
      throw error;
    });
    return keys;
  };
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, await keysOf(), {
        issuer: settings.issuer,
        audience: settings.audience,
        clockTolerance: settings.clockSkewMs / 1000,
        algorithms: ALGORITHMS,
        requiredClaims: ["exp", "sub"],
      });
      if (typeof payload.sub !== "string" || !ACTOR.test(payload.sub)) {
        throw new errors.JWTClaimValidationFailed("found no name", payload, "sub", "check_failed");
      }
      return identityOf(payload, settings.rolesClaim);
    } catch (error) {
      throw refusalOf(error);
    }
  };
}

async function remoteKeys({ issuer, jwksUrl, fetch: given = fetch }: OidcSettings): Promise<JWTVerifyGetKey> {
  const url = jwksUrl ?? (await discovered(issuer, given));
  return createRemoteJWKSet(new URL(url), {
    timeoutDuration: TIMEOUT_MS,
    [customFetch]: given,
  });
}

async function discovered(issuer: string, given: typeof fetch): Promise<string> {
  const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const answer = await given(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const document = answer.ok ? ((await answer.json()) as { jwks_uri?: unknown; issuer?: unknown }) : {};
  if (typeof document.jwks_uri !== "string" || document.issuer !== issuer) {
    throw new Error(`${url} answered ${answer.status} without the issuer ${issuer} and a jwks_uri`);
  }
  return document.jwks_uri;
}

/**
 * Reads roles from `{"acme": "operator"}`, or from `["acme:operator"]` for issuers that only support lists. Unknown
 * roles are skipped.
 */
function identityOf(payload: JWTPayload, claim: string): Identity {
  const given = payload[claim];
  const pairs: [string, unknown][] = Array.isArray(given)
    ? given.filter((each) => typeof each === "string").map((each) => pairOf(each))
    : typeof given === "object" && given !== null
      ? Object.entries(given)
      : [];
  const roles = pairs.filter(
    (pair): pair is [string, Role] => isRole(pair[1]) && (pair[0] === ALL || TENANT.test(pair[0])),
  );
  const { email, email_verified: verified, sub = "" } = payload;
  // An unverified email address may belong to another user.
  const isTrue = typeof email === "string" && verified === true && EMAIL.test(email) && ACTOR.test(email);
  return { actor: isTrue ? email : nameOf(sub), roles: Object.fromEntries(roles) };
}

/**
 * A subject is any text, so it may look like the address or the name of somebody else. Only verified addresses are shown
 * as addresses, and only the service's own names as those.
 */
const nameOf = (sub: string): string =>
  /@|^(?:static-token-|tenant |sub:)/.test(sub) || Object.hasOwn(SERVICE_ACTORS, sub) ? `sub:${sub}` : sub;

function pairOf(text: string): [string, string] {
  const at = text.lastIndexOf(":");
  return [text.slice(0, at), text.slice(at + 1)];
}

function refusalOf(error: unknown): ApiError {
  const refused = (reason: string, advice: string) => new ApiError({ code: "UNAUTHENTICATED", reason, advice });
  if (error instanceof errors.JWTExpired) return refused("the token has expired", "ask the issuer for a new one");
  if (error instanceof errors.JWTClaimValidationFailed) {
    return refused(`the token's claim ${error.claim} is not as expected`, "ask for a token for this service");
  }
  // The key set could not be read, so the token can't be verified.
  if (!(error instanceof errors.JOSEError) || error instanceof errors.JWKSTimeout || isBadSet(error)) {
    const reason = "the keys of the tokens' issuer could not be read";
    return new ApiError({ code: "UNAVAILABLE", component: "oidc", reason, advice: "try again in a moment" });
  }
  return refused("the token is not valid", "send a token of the issuer as Authorization: Bearer …");
}

/** True if the response was not a key set. A key set without the token's key is a different error. */
const isBadSet = (error: errors.JOSEError): boolean =>
  error instanceof errors.JWKSInvalid || error.code === "ERR_JOSE_GENERIC";
