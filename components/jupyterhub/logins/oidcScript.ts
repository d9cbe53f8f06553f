/** Parts of the class of an OIDC login, in Python. Pure. */

/**
 * Reads the issuer's endpoints. A wrong issuer ends the hub at its start, so that the update fails. One that does not
 * answer ends nothing: the hub reads the document at the next login.
 */
export function discovery(issuer: string, claims: "userinfo" | "idToken"): string {
  const url = `${issuer.replace(/\/+$/, "")}/.well-known/openid-configuration`;
  const userinfo = `
    @default("userdata_url")
    def _userinfo(self):
        return self.endpoint("userinfo_endpoint")
`;
  return `
    document = None

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        try:
            self.endpoint("token_endpoint")
        except requests.RequestException as error:
            self.log.error("The login service can't be reached: %s", error)

    def endpoint(self, name):
        if self.document is None:
            url = ${JSON.stringify(url)}
            answer = requests.get(url, timeout=10)
            if answer.status_code >= 500:
                answer.raise_for_status()
            found = answer.json() if answer.ok else {}
            if str(found.get("issuer")).rstrip("/") != ${JSON.stringify(issuer.replace(/\/+$/, ""))}:
                raise ValueError(f"{url} answers {answer.status_code} with the issuer {found.get('issuer')}")
            self.document = found
        if name not in self.document:
            raise ValueError(f"The issuer has no {name}; set auth.endpoints")
        return self.document[name]

    @default("authorize_url")
    def _authorize(self):
        return self.endpoint("authorization_endpoint")

    @default("token_url")
    def _token(self):
        return self.endpoint("token_endpoint")
${claims === "userinfo" ? userinfo : ""}`;
}

/** OAuthenticator checks for whom an ID token is, and until when, but not who issued it. */
export const idTokenIssuer = (issuer: string): string => `
    async def token_to_user(self, token_info):
        claims = await super().token_to_user(token_info)
        if str(claims.get("iss")).rstrip("/") != ${JSON.stringify(issuer.replace(/\/+$/, ""))}:
            raise web.HTTPError(403, "The ID token is of another issuer.")
        return claims
`;
