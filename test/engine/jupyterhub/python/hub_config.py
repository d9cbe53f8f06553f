"""The Hub of the chart without a proxy and without Kubernetes, as a process of a test."""

import json
import os
from pathlib import Path

from jupyterhub.proxy import Proxy

load_subconfig(os.environ["HUB_CONFIG"])  # noqa: F821


class NoProxy(Proxy):
    """Stands in for the proxy, which is another program: the Hub is asked directly."""

    should_start = False

    async def add_route(self, routespec, target, data):
        pass

    async def delete_route(self, routespec):
        pass

    async def get_all_routes(self):
        return {}


c.JupyterHub.proxy_class = NoProxy  # noqa: F821
c.JupyterHub.hub_bind_url = c.JupyterHub.hub_connect_url = f"http://127.0.0.1:{os.environ['HUB_PORT']}"  # noqa: F821
c.JupyterHub.spawner_class = "simple"  # noqa: F821
c.JupyterHub.db_url = "sqlite://"  # noqa: F821

# What a test changes: where an issuer is that has no public name, and how often to ask it.
for section, traits in json.loads((Path(os.environ["HUB_FOLDER"]) / "changes.json").read_text()).items():
    c[section].update(traits)  # noqa: F821
