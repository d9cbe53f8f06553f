"""The Hub's configuration, from the chart's values and the hub's Secrets, as far as tests use it."""

import os
from pathlib import Path

import yaml

c = get_config()  # noqa: F821
folder = Path(os.environ.get("HUB_FOLDER", "/usr/local/etc/jupyterhub"))


def merged(under, over):
    both = {**under, **over}
    return {key: merged(under[key], over[key]) if isinstance(under.get(key), dict) and isinstance(over.get(key), dict) else both[key] for key in both}


values = {}
for source in ("secret", "existing-secret"):
    values = merged(values, yaml.safe_load((folder / source / "values.yaml").read_text()))


def at(*keys):
    value = values
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


port = os.environ.get("HUB_SERVICE_PORT")
c.JupyterHub.spawner_class = "kubespawner.KubeSpawner"
c.ConfigurableHTTPProxy.api_url = f"http://proxy-api:{os.environ.get('PROXY_API_SERVICE_PORT')}"
c.ConfigurableHTTPProxy.should_start = False
c.JupyterHub.cleanup_servers = False
c.JupyterHub.db_url = "sqlite:///jupyterhub.sqlite"
c.JupyterHub.hub_bind_url = "http://:8081"
c.JupyterHub.hub_connect_url = f"http://hub:{port}"
c.JupyterHub.allow_named_servers = at("hub", "allowNamedServers") or False

spawner = c.KubeSpawner
spawner.namespace = os.environ.get("POD_NAMESPACE", "default")
spawner.image = ":".join(at("singleuser", "image", key) or "" for key in ("name", "tag"))
for trait, path in {
    "start_timeout": ["startTimeout"],
    "service_account": ["serviceAccountName"],
    "node_selector": ["nodeSelector"],
    "tolerations": ["extraTolerations"],
    "mem_limit": ["memory", "limit"],
    "mem_guarantee": ["memory", "guarantee"],
    "cpu_limit": ["cpu", "limit"],
    "cpu_guarantee": ["cpu", "guarantee"],
    "extra_resource_limits": ["extraResource", "limits"],
    "environment": ["extraEnv"],
    "profile_list": ["profileList"],
    "storage_capacity": ["storage", "capacity"],
    "storage_class": ["storage", "dynamic", "storageClass"],
}.items():
    if at("singleuser", *path) is not None:
        setattr(spawner, trait, at("singleuser", *path))
c.Spawner.default_url = at("singleuser", "defaultUrl") or ""
spawner.pvc_name_template = "claim-{escaped_user_server}"
spawner.storage_pvc_ensure = True
spawner.storage_access_modes = ["ReadWriteOnce"]
storage = at("singleuser", "storage") or {}
home = "volume-{escaped_user_server}"
spawner.volumes = [{"name": home, "persistentVolumeClaim": {"claimName": "{pvc_name}"}}, *storage.get("extraVolumes", {}).values()]
spawner.volume_mounts = [{"name": home, "mountPath": storage.get("homeMountPath")}, *storage.get("extraVolumeMounts", {}).values()]

own = folder / "existing-secret"
c.JupyterHub.cookie_secret = (own / "hub.config.JupyterHub.cookie_secret").read_text()
c.CryptKeeper.keys = (own / "hub.config.CryptKeeper.keys").read_text().split(";")
for section, traits in at("hub", "config").items():
    c[section].update(traits)
for _, script in sorted((at("hub", "extraConfig") or {}).items()):
    exec(script)
