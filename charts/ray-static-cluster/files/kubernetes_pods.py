"""Worker pods for Ray's autoscaler: made from the templates beside this file, and removed again.

Ray loads it on the head as an external node provider. Nothing but Python and Ray is needed.
"""

import json
import os
import ssl
import urllib.error
import urllib.parse
import urllib.request

from ray.autoscaler.batching_node_provider import BatchingNodeProvider, NodeData
from ray.autoscaler.tags import (
    NODE_KIND_HEAD,
    NODE_KIND_WORKER,
    STATUS_UP_TO_DATE,
    STATUS_UPDATE_FAILED,
)

ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount"
ENDED_WORKER = (NODE_KIND_WORKER, STATUS_UPDATE_FAILED)


class KubernetesPods(BatchingNodeProvider):
    """Pods are nodes; a node's type is its worker group."""

    def __init__(self, provider_config, cluster_name):
        super().__init__(provider_config, cluster_name)
        self.selector = provider_config["selector"]
        self.owner = provider_config["owner"]
        self.server = provider_config["server"]
        self.namespace = provider_config["namespace"]
        folder = os.path.dirname(os.path.abspath(__file__))
        with open(os.path.join(folder, "pods.json"), encoding="utf-8") as file:
            self.templates = json.load(file)

    def get_node_data(self):
        query = urllib.parse.urlencode({"labelSelector": self.selector})
        pods = self._call("GET", f"/api/v1/namespaces/{self.namespace}/pods?{query}")["items"]
        nodes = {
            pod["metadata"]["name"]: self._node(pod)
            for pod in pods
            # One that is to go counts as gone, as Ray expects right after it asked for that.
            if "deletionTimestamp" not in pod["metadata"]
        }
        # A worker that ended does not come back, and Ray never removes it but counts it as one that it has.
        ended = [name for name, node in nodes.items() if (node.kind, node.status) == ENDED_WORKER]
        for name in ended:
            self._remove(name)
        return {name: node for name, node in nodes.items() if name not in ended}

    def submit_scale_request(self, scale_request):
        for name in scale_request.workers_to_delete:
            self._remove(name)
        left = {
            name: node for name, node in self.node_data_dict.items() if name not in scale_request.workers_to_delete
        }
        have = self._cur_num_workers(left)
        for group, wanted in scale_request.desired_num_workers.items():
            for _ in range(wanted - have[group]):
                self._create(group)

    def _node(self, pod):
        labels, status = pod["metadata"]["labels"], pod.get("status", {})
        is_head = labels["app.kubernetes.io/component"] == "head"
        return NodeData(
            kind=NODE_KIND_HEAD if is_head else NODE_KIND_WORKER,
            type="head" if is_head else labels["ray-group"],
            ip=status.get("podIP"),
            status=self._status(status),
        )

    @staticmethod
    def _status(status):
        phase = status.get("phase", "Pending")
        for container in status.get("containerStatuses", []):
            if container["name"] != "worker":
                continue
            # A container beside Ray's keeps the pod running when Ray has ended.
            if "terminated" in container.get("state", {}):
                return STATUS_UPDATE_FAILED
            # Ray deletes a worker that is up and has not called for 30 seconds; on a busy node it takes longer to start.
            if not container.get("started", True):
                return "pending"
        if phase == "Running":
            return STATUS_UP_TO_DATE
        return STATUS_UPDATE_FAILED if phase in ("Failed", "Succeeded") else "pending"

    def _create(self, group):
        pod = json.loads(json.dumps(self.templates[group]))
        pod["metadata"]["generateName"] = f"{self.cluster_name}-ray-{group}-"
        # Kubernetes removes the workers with what they are made from: also where the head stays, in another mode.
        owner = self._call("GET", f"/api/v1/namespaces/{self.namespace}/configmaps/{self.owner}")
        pod["metadata"]["ownerReferences"] = [
            {"apiVersion": "v1", "kind": "ConfigMap", "name": self.owner, "uid": owner["metadata"]["uid"]}
        ]
        self._call("POST", f"/api/v1/namespaces/{self.namespace}/pods", {"apiVersion": "v1", "kind": "Pod", **pod})

    def _remove(self, name):
        try:
            self._call("DELETE", f"/api/v1/namespaces/{self.namespace}/pods/{name}")
        except urllib.error.HTTPError as error:
            if error.code != 404:
                raise

    def _call(self, method, path, body=None):
        headers = {"Accept": "application/json", "Content-Type": "application/json"}
        context = None
        if self.server.startswith("https:"):
            # Read each time, because Kubernetes renews it.
            with open(f"{ACCOUNT}/token", encoding="utf-8") as file:
                headers["Authorization"] = f"Bearer {file.read().strip()}"
            context = ssl.create_default_context(cafile=f"{ACCOUNT}/ca.crt")
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.server + path, data=data, headers=headers, method=method)
        with urllib.request.urlopen(request, context=context, timeout=30) as response:
            return json.load(response)
