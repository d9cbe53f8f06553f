"""A runtime with its own templates, a Ray cluster and a bundle on an existing cluster."""

import pulumi
import pulumi_stackyard as stackyard

config = pulumi.Config()
cluster = {"kubeconfig": {"content": config.require_secret("kubeconfig")}}

runtime = stackyard.KubernetesRuntime(
    "shop-runtime",
    cluster=cluster,
    namespace="team-runtimes",
    create_namespace=True,
    host="https://*.shop.example.com",
    image="registry.example.com/shop/runtime",
    version=config.get("version") or "1.0.0",
    slots=2,
    slot={"cpu": 1, "memory_gb": 2, "disk_gb": 10},
    ping="off",
    templates={"statefulset": "templates/statefulset.yaml"},
)
ray = stackyard.RayCluster(
    "main",
    cluster=cluster,
    mode="static",
    namespace="team-ray",
    pool="",
    reserved_cpu=0,
    worker_groups={"worker": {"replicas": config.get_int("workers") or 1}},
)
shop = stackyard.Bundle(
    "shop",
    cluster=cluster,
    create_namespace=True,
    versions={"1.0.0": {"sources": [{"type": "local", "path": "shop"}]}},
)

pulumi.export("host", runtime.host)
pulumi.export("cpu", runtime.cpu)
pulumi.export("address", ray.endpoint["address"])
pulumi.export("digest", shop.release["digest"])
