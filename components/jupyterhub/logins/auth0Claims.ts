/** The Auth0 claim with a user's groups. Pure. */

/** Namespaced, as Auth0 recommends, to avoid collisions with other claims. */
export const DEFAULT_CLAIM = "https://stackyard.dev/groups";

/** Claims that an Auth0 Action can't set; Auth0 silently ignores them. */
const RESTRICTED = new Set(
  (
    "acr act active amr at_hash ath attest aud auth_time authorization_details azp c_hash client_id cnf cty dest " +
    "entitlements events exp groups gty htm htu iat internalService iss jcard jku jti jwe jwk kid may_act mky nbf nonce " +
    "object_id org_id org_name orig origid permissions roles rph s_hash sid sip_callid sip_cseq_num sip_date " +
    "sip_from_tag sip_via_branch sub sub_jwk toe txn typ uuid vot vtm x5t#S256"
  ).split(" "),
);
/** Domains that Auth0 does not accept as a namespace of claims. */
const RESERVED_DOMAINS = ["auth0.com", "webtask.io", "webtask.run"];

/** Whether Auth0 ignores a custom claim of this name. */
export function isRestricted(claim: string): boolean {
  if (RESTRICTED.has(claim) || claim.startsWith("urn:auth0")) return true;
  if (!/^https?:/.test(claim) || !URL.canParse(claim)) return false;
  const { hostname } = new URL(claim);
  return RESERVED_DOMAINS.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`));
}
