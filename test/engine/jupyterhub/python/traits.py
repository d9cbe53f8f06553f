"""Which classes, traits and overrides of a configurations the installed packages do not have; JSON in, JSON out."""

import json
import sys
from importlib.metadata import entry_points

from jupyterhub.app import JupyterHub
from jupyterhub.auth import DummyAuthenticator
from kubespawner import KubeSpawner
from ldapauthenticator import LDAPAuthenticator
from oauthenticator.auth0 import Auth0OAuthenticator
from oauthenticator.generic import GenericOAuthenticator
from oauthenticator.github import GitHubOAuthenticator
from traitlets.config import Config

LOGINS = (DummyAuthenticator, Auth0OAuthenticator, GenericOAuthenticator, GitHubOAuthenticator, LDAPAuthenticator)
CLASSES = {cls.__name__: cls for cls in (JupyterHub, KubeSpawner, *LOGINS)}
AUTHENTICATORS = {point.name: point for point in entry_points(group="jupyterhub.authenticators")}


def instance_of(name):
    if name == "JupyterHub":
        return JupyterHub()
    # Its initialization looks for a cluster.
    return KubeSpawner.__new__(KubeSpawner) if name == "KubeSpawner" else CLASSES[name](config=Config())


def problems(given):
    for name, traits in given["config"].items():
        if name not in CLASSES:
            yield f"no class {name}"
            continue
        known = CLASSES[name].class_traits(config=True)
        for trait, value in traits.items():
            if trait not in known:
                yield f"no trait {name}.{trait}"
                continue
            try:
                known[trait]._validate(instance_of(name), value)
            except Exception as error:
                yield f"{name}.{trait}: {error}"
    authenticator = given["config"]["JupyterHub"]["authenticator_class"]
    if authenticator not in AUTHENTICATORS:
        yield f"no authenticator {authenticator}"
    elif AUTHENTICATORS[authenticator].load().__name__ not in given["config"]:
        yield f"authenticator {authenticator} is configured as another class"
    for profile in given["profiles"]:
        for trait in profile["kubespawner_override"]:
            if trait not in KubeSpawner.class_traits(config=True):
                yield f"no trait KubeSpawner.{trait}"


print(json.dumps([problem for given in json.load(sys.stdin) for problem in sorted(problems(given))]))
