"""The Hub of `hub_config.py`, but behind the real proxy and with KubeSpawner, set by `singleuser` as the upstream chart does."""

import json
import os
from pathlib import Path

load_subconfig(str(Path(__file__).parent / "hub_config.py"))  # noqa: F821

place = json.loads((Path(os.environ["HUB_FOLDER"]) / "place.json").read_text())
singleuser = json.loads((Path(os.environ["HUB_FOLDER"]) / "values.json").read_text())["singleuser"]


def at(*keys):
    value = singleuser
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


c.JupyterHub.proxy_class = "configurable-http-proxy"  # noqa: F821
c.ConfigurableHTTPProxy.should_start = False  # noqa: F821
c.ConfigurableHTTPProxy.api_url = place["proxyApi"]  # noqa: F821
c.ConfigurableHTTPProxy.auth_token = os.environ["CONFIGPROXY_AUTH_TOKEN"]  # noqa: F821

for trait, path in place["auth0"].items():
    c.Auth0OAuthenticator[trait] = path  # noqa: F821

c.JupyterHub.spawner_class = "kubespawner.KubeSpawner"  # noqa: F821
c.JupyterHub.hub_bind_url = c.JupyterHub.hub_connect_url = f"http://{os.environ['HUB_ADDRESS']}:{os.environ['HUB_PORT']}"  # noqa: F821
spawner = c.KubeSpawner  # noqa: F821
spawner.namespace = place["namespace"]
spawner.image = ":".join(at("image", key) for key in ("name", "tag"))
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
    "default_url": ["defaultUrl"],
    "storage_capacity": ["storage", "capacity"],
    "storage_class": ["storage", "dynamic", "storageClass"],
}.items():
    if at(*path) is not None:
        setattr(spawner, trait, at(*path))
spawner.storage_pvc_ensure = True
spawner.volumes = [{"name": "home", "persistentVolumeClaim": {"claimName": "{pvc_name}"}}, *(at("storage", "extraVolumes") or {}).values()]
spawner.volume_mounts = [{"name": "home", "mountPath": at("storage", "homeMountPath")}, *(at("storage", "extraVolumeMounts") or {}).values()]
