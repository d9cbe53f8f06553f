/** The class of an OAuth login in the hub's configuration, in Python. Pure. */

/** Key of our script in the chart's `hub.extraConfig`. */
export const LOGIN_SCRIPT = "stackyard-login";

/**
 * OAuthenticator asks with the access token of the login, whose claims may be as old as the login, and admits whoever
 * has one. So this exchanges the refresh token first, if there is one, and checks again whether the user may log in.
 * Issuers that rotate refresh tokens lock users out that use one twice: requests that come at the same time, or with
 * the old token, get the same answer.
 */
const ASK_AGAIN = `
    asked = {}

    async def refresh_user(self, user, handler=None, **kwargs):
        token = (await user.get_auth_state() or {}).get("refresh_token")
        key = (user.name, token)
        if key not in self.asked:
            self.asked[key] = asyncio.ensure_future(self.ask_again(user, handler, token, kwargs))
            self.asked[key].add_done_callback(lambda done: self.forget(key, done))
        model = await asyncio.shield(self.asked[key])
        return dict(model) if isinstance(model, dict) else model

    def forget(self, key, done):
        model = None if done.cancelled() or done.exception() else done.result()
        is_rotated = isinstance(model, dict) and model["auth_state"]["refresh_token"] != key[1]
        asyncio.get_running_loop().call_later(60 if is_rotated else 0, self.asked.pop, key, None)

    async def ask_again(self, user, handler, token, kwargs):
        try:
            if token:
                answer = await self.get_token_info(handler, self.build_refresh_token_request_params(token))
                answer["refresh_token"] = answer.get("refresh_token") or token
                model = await self._token_to_auth_model(answer)
            else:
                model = await super().refresh_user(user, handler, **kwargs)
            if not isinstance(model, dict):
                return model
            is_allowed = model["name"] == user.name and self.check_blocked_users(user.name, model)
            if is_allowed and (self.allow_all or await self.check_allowed(user.name, model)):
                return model
            self.log.warning("User %s may not log in any more.", user.name)
        except (HTTPClientError, OSError) as error:
            code = getattr(error, "code", 503)
            if code >= 500 or code == 429:
                raise web.HTTPError(503, "The login service does not answer.") from error
            self.log.warning("User %s must log in again: %s", user.name, error)
        except (web.HTTPError, ValueError) as error:
            self.log.warning("User %s must log in again: %s", user.name, error)
        return False
`;

/** Some issuers send texts. JupyterHub lets everybody in with `allow_all` before the authenticator could check this. */
export const VERIFIED_EMAIL = `
    async def update_auth_model(self, auth_model):
        claims = auth_model["auth_state"][self.user_auth_state_key]
        is_verified = claims.get("email_verified") in (True, "true")
        if not is_verified and not getattr(self, "allow_unverified_email", False):
            raise web.HTTPError(403, "The issuer has not verified your email address.")
        return await super().update_auth_model(auth_model)
`;

/**
 * Groups in a claim: a list, or the text of one. `claim` may have dots, as in a URL; otherwise they lead into objects.
 * A user without the claim has no groups.
 */
export const groupsInClaim = (claim: string): string => `
    async def get_user_groups(self, auth_state):
        claims, name = auth_state[self.user_auth_state_key], ${JSON.stringify(claim)}
        found = claims.get(name)
        if found is None:
            found = claims
            for part in name.split("."):
                found = found.get(part) if isinstance(found, dict) else None
        groups = found if isinstance(found, list) else [found]
        return {group for group in groups if isinstance(group, str)}
`;

/** `module` and `base`: the authenticator; `methods`: the login's own, indented; `imports`: what they need. */
export function oauthScript(module: string, base: string, methods: readonly string[], imports = ""): string {
  return `import asyncio
${imports}
from ${module} import ${base}
from tornado import web
from tornado.httpclient import HTTPClientError


class StackyardLogin(${base}):${[ASK_AGAIN, ...methods].join("")}

c.JupyterHub.authenticator_class = StackyardLogin
`;
}
