"""The Hub of the chart with KubeSpawner behind the real proxy, as processes of a test."""

import json
import os
from pathlib import Path

load_subconfig(os.environ["HUB_CONFIG"])  # noqa: F821

place = json.loads((Path(os.environ["HUB_FOLDER"]) / "place.json").read_text())
c.ConfigurableHTTPProxy.api_url = place["proxyApi"]  # noqa: F821
for trait, path in place["auth0"].items():
    c.Auth0OAuthenticator[trait] = path  # noqa: F821
c.JupyterHub.hub_bind_url = c.JupyterHub.hub_connect_url = place["hub"]  # noqa: F821
c.JupyterHub.db_url = "sqlite://"  # noqa: F821
