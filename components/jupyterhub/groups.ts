/** The claim of Auth0 that lists the groups of a user. Pure. */

/** Namespaced, as Auth0 recommends it: it collides with no claim of anybody else's. */
export const DEFAULT_CLAIM = "https://stackyard.dev/groups";

/** Name of our entry in the chart's `hub.extraConfig`. */
export const GROUPS_SCRIPT = "stackyard-groups";

/** Names that an Auth0 action can't set: the claim is skipped silently. */
const RESTRICTED = new Set(
  (
    "acr act active amr at_hash ath attest aud auth_time authorization_details azp c_hash client_id cnf cty dest " +
    "entitlements events exp groups gty htm htu iat internalService iss jcard jku jti jwe jwk kid may_act mky nbf nonce " +
    "object_id org_id org_name orig origid permissions roles rph s_hash sid sip_callid sip_cseq_num sip_date " +
    "sip_from_tag sip_via_branch sub sub_jwk toe txn typ uuid vot vtm x5t#S256"
  ).split(" "),
);
/** Domains below which Auth0 takes no namespace. */
const RESERVED_DOMAINS = ["auth0.com", "webtask.io", "webtask.run"];

/** Whether Auth0 omits a custom claim of this name. */
export function isRestricted(claim: string): boolean {
  if (RESTRICTED.has(claim) || claim.startsWith("urn:auth0")) return true;
  if (!/^https?:/.test(claim) || !URL.canParse(claim)) return false;
  const { hostname } = new URL(claim);
  return RESERVED_DOMAINS.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`));
}

/**
 * Python that the hub runs at its start. A path such as `auth0_user.teams` would do for a name without dots only, and a URL
 * has some. A user without the claim has no groups.
 */
export const groupsScript = (claim: string): string =>
  `c.Auth0OAuthenticator.auth_state_groups_key = lambda state: state["auth0_user"].get(${JSON.stringify(claim)}) or []\n`;
