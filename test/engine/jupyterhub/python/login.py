"""Whom the installed OAuthenticator lets in, given what Auth0's /userinfo says of them; JSON in, JSON out."""

import asyncio
import json
import sys

from traitlets.config import Config

given = json.load(sys.stdin)
c = Config()
for section, traits in given["config"].items():
    c[section].update(traits)
for _, script in sorted((given.get("extraConfig") or {}).items()):
    exec(script)


class Auth0(c.JupyterHub.authenticator_class):
    """Only the request to Auth0 is left out."""

    async def token_to_user(self, token_info):
        return token_info["claims"]


async def login(claims):
    authenticator = Auth0(config=c)
    model = await authenticator._token_to_auth_model({"access_token": "a", "claims": claims})
    allowed = await authenticator.check_allowed(model["name"], model)
    return {"allowed": bool(allowed), "admin": bool(model["admin"])}


print(json.dumps([asyncio.run(login(claims)) for claims in given["claims"]]))
