"""Configures a Hub from `values.json` and the files of the hub's Secret, in the way that the upstream chart does."""

import json
import os
from pathlib import Path

import yaml
from jupyterhub.proxy import Proxy

folder = Path(os.environ["HUB_FOLDER"])


class NoProxy(Proxy):
    """Stands in for the proxy, which is another program: the Hub is asked directly."""

    should_start = False

    async def add_route(self, routespec, target, data):
        pass

    async def delete_route(self, routespec):
        pass

    async def get_all_routes(self):
        return {}


def merged(under, over):
    both = {**under, **over}
    return {key: merged(under[key], over[key]) if isinstance(under.get(key), dict) and isinstance(over.get(key), dict) else both[key] for key in both}


values = json.loads((folder / "values.json").read_text())
values = merged(values, yaml.safe_load((folder / "values.yaml").read_text()))
for section, traits in values["hub"]["config"].items():
    c[section].update(traits)  # noqa: F821

c.JupyterHub.allow_named_servers = values["hub"].get("allowNamedServers", False)  # noqa: F821
c.KubeSpawner.profile_list = values["singleuser"]["profileList"]  # noqa: F821
for _, script in sorted(values["hub"].get("extraConfig", {}).items()):
    exec(script)

c.JupyterHub.cookie_secret = (folder / "hub.config.JupyterHub.cookie_secret").read_text()  # noqa: F821
c.CryptKeeper.keys = (folder / "hub.config.CryptKeeper.keys").read_text().split(";")  # noqa: F821
c.JupyterHub.proxy_class = NoProxy  # noqa: F821
c.JupyterHub.hub_bind_url = f"http://127.0.0.1:{os.environ['HUB_PORT']}"  # noqa: F821
c.JupyterHub.spawner_class = "simple"  # noqa: F821
c.JupyterHub.db_url = "sqlite://"  # noqa: F821

# What a test changes: where an issuer is that has no public name, and how often to ask it.
changes = folder / "changes.json"
if changes.exists():
    for section, traits in json.loads(changes.read_text()).items():
        c[section].update(traits)  # noqa: F821
