import assert from "node:assert/strict";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { permitted, standingText, standing, volumesLeft } from "../../../provider/resources/loadBalancerGuard/standing";

const object = (kind: string, name: string, more: { metadata?: object; spec?: object } = {}): KubeObject => ({
  apiVersion: kind === "Service" ? "v1" : "networking.k8s.io/v1",
  kind,
  metadata: { namespace: "shop", name, ...more.metadata },
  spec: more.spec,
});
const balancer = (name: string, metadata: object = {}) =>
  object("Service", name, { metadata, spec: { type: "LoadBalancer" } });
const names = (all: readonly KubeObject[]): string[] => all.map(({ kind, metadata }) => `${kind} ${metadata.name}`);

describe("an object that holds a load balancer when its cluster is deleted", () => {
  it("is a LoadBalancer Service, or an Ingress or Gateway of a load balancer controller", () => {
    const served = (name: string, finalizer: string) =>
      object("Ingress", name, { metadata: { finalizers: [finalizer] } });
    const all = [
      balancer("web"),
      object("Service", "inside", { spec: { type: "ClusterIP" } }),
      served("one", "ingress.k8s.aws/resources"),
      served("grouped", "group.ingress.k8s.aws/runtimes"),
      served("auto", "ingress.eks.amazonaws.com/resources"),
      object("Gateway", "edge", { metadata: { finalizers: ["gateway.k8s.aws/alb"] } }),
      object("Gateway", "mesh", { metadata: { finalizers: ["example.com/mesh"] } }),
      // Its load balancer is that of nginx' own Service.
      object("Ingress", "nginx"),
    ];
    assert.deepEqual(names(standing(all, [])), [
      "Gateway edge",
      "Ingress auto",
      "Ingress grouped",
      "Ingress one",
      "Service web",
    ]);
  });

  it("is not part of the stack's own sets, bundles or Helm releases", () => {
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

  it("is listed with its delete command and the command that skips the check", () => {
    assert.equal(
      standingText([balancer("web")], "prod"),
      [
        "found 1 object holds a load balancer that nothing deletes once the cluster is gone, and that keep its VPC from being deleted; nothing was changed:",
        "  Service shop/web: kubectl -n shop delete service web",
        "Those of runtimes go with them: stackyard runtime destroy ID. To delete the cluster all the same:",
        "  pulumi config set --stack prod stackyard:allowLeftovers true",
        "and afterwards delete what is left: stackyard eks leftovers --stack prod --blocking",
      ].join("\n"),
    );
  });

  it("is listed if it may stay, with the command that lists leftovers", () => {
    assert.equal(
      permitted([balancer("web"), object("Ingress", "one")], "prod"),
      [
        "2 objects hold load balancers on AWS, where stackyard:allowLeftovers leaves it; until it is deleted, the VPC can't be:",
        "  Service shop/web: kubectl -n shop delete service web",
        "  Ingress shop/one: kubectl -n shop delete ingress one",
        "What is left on AWS: stackyard eks leftovers --stack prod --blocking",
      ].join("\n"),
    );
  });
});

describe("the list of volumes when a cluster is deleted", () => {
  const volume = (id: string, driver: string, claimRef?: object): KubeObject => ({
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: `pvc-${id}` },
    spec: { capacity: { storage: "8Gi" }, csi: { driver, volumeHandle: id }, ...(claimRef && { claimRef }) },
  });

  it("contains each EBS disk with its claim, and the command that finds leftovers", () => {
    const all = [
      volume("vol-2", "ebs.csi.eks.amazonaws.com"),
      volume("vol-1", "ebs.csi.aws.com", { namespace: "shop", name: "data" }),
      volume("fs-1", "efs.csi.aws.com", { namespace: "shop", name: "files" }),
    ];
    assert.equal(
      volumesLeft(all, "prod"),
      [
        "2 volumes are on AWS now; those whose claims this does not delete stay there, with their data:",
        "  claim shop/data: vol-1 (8Gi)",
        "  no claim: vol-2 (8Gi)",
        "What is left afterwards, with the commands that delete it: stackyard eks leftovers --stack prod",
      ].join("\n"),
    );
    assert.equal(volumesLeft(all.slice(2), "prod"), undefined);
  });

  it("names at most ten volumes", () => {
    const many = Array.from({ length: 12 }, (_, index) => volume(`vol-${index}`, "ebs.csi.aws.com"));
    assert.match(volumesLeft(many, undefined) ?? "", /^12 volumes [^]*\n {2}and 2 more\n/);
  });
});
