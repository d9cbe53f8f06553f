import assert from "node:assert/strict";
import type { KubeObject } from "../../../kubernetes/client/objects";
import { refusal, standing } from "../../../provider/resources/loadBalancerGuard/standing";

const object = (kind: string, name: string, more: { metadata?: object; spec?: object } = {}): KubeObject => ({
  apiVersion: kind === "Service" ? "v1" : "networking.k8s.io/v1",
  kind,
  metadata: { namespace: "shop", name, ...more.metadata },
  spec: more.spec,
});
const balancer = (name: string, metadata: object = {}) =>
  object("Service", name, { metadata, spec: { type: "LoadBalancer" } });
const names = (all: readonly KubeObject[]): string[] => all.map(({ kind, metadata }) => `${kind} ${metadata.name}`);

describe("what holds load balancers when a cluster is to be deleted", () => {
  it("is a Service of type LoadBalancer, or an Ingress that a controller of load balancers serves", () => {
    const served = (name: string, finalizer: string) =>
      object("Ingress", name, { metadata: { finalizers: [finalizer] } });
    const all = [
      balancer("web"),
      object("Service", "inside", { spec: { type: "ClusterIP" } }),
      served("one", "ingress.k8s.aws/resources"),
      served("grouped", "group.ingress.k8s.aws/runtimes"),
      served("auto", "ingress.eks.amazonaws.com/resources"),
      // Its load balancer is that of nginx' own Service.
      object("Ingress", "nginx"),
    ];
    assert.deepEqual(names(standing(all, [])), ["Ingress auto", "Ingress grouped", "Ingress one", "Service web"]);
  });

  it("is not what the stack deletes by itself: its sets, bundles and Helm releases", () => {
    const set = { "stackyard.dev/set": "teraslice", "stackyard.dev/set-namespace": "ts" };
    const bundle = { "stackyard.dev/bundle": "mesh", "stackyard.dev/bundle-namespace": "mesh" };
    const release = { "meta.helm.sh/release-name": "ingress-nginx", "meta.helm.sh/release-namespace": "ingress-nginx" };
    const all = [
      balancer("a", { labels: set }),
      balancer("b", { labels: bundle }),
      balancer("c", { annotations: release }),
      balancer("d", { labels: { ...set, "stackyard.dev/set": "runtime-of-another-stack" } }),
    ];
    const owners = [
      { type: "set", namespace: "ts", name: "teraslice" },
      { type: "bundle", namespace: "mesh", name: "mesh" },
      { type: "release", namespace: "ingress-nginx", name: "ingress-nginx" },
    ];
    assert.deepEqual(names(standing(all, owners)), ["Service d"]);
  });

  it("is listed with the command that deletes each, and the one that goes on without", () => {
    assert.equal(
      refusal([balancer("web")], "prod"),
      [
        "found 1 object holds a load balancer that nothing deletes once the cluster is gone, and that keep its VPC from being deleted; nothing was changed:",
        "  Service shop/web: kubectl -n shop delete service web",
        "Those of runtimes go with them: stackyard runtime destroy ID. To delete the cluster all the same:",
        "  pulumi config set --stack prod stackyard:allowLeftovers true",
        "and afterwards delete what is left: stackyard eks leftovers --stack prod --blocking",
      ].join("\n"),
    );
  });
});
